import { join } from 'node:path';
import { findRuntime } from '../../client/runtime-file.ts';
import { messageOf } from '../../protocol/errors.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, ok } from './check.ts';

/** A live store belongs to its runtime alone; one that nobody has open is looked through. */
export async function checkStore(folder: string): Promise<Check> {
  const name = 'store';
  const path = join(folder, 'weir.db');
  try {
    if ((await findRuntime(folder)) !== undefined) return ok(name, `${path}, in use.`);
    const { state, problems } = await loadRuntime().checkDataFolder(folder);
    if (state === 'absent') return ok(name, `${path} is made at the first start.`);
    if (state === 'live') return ok(name, `${path} was cut off; the next start recovers it.`);
    const [first] = problems;
    if (first === undefined) return ok(name, `${path} is whole.`);
    return bad(name, `${path} is damaged: ${first}`, salvage(path));
  } catch (error) {
    return bad(name, messageOf(error), 'It was left as it is; keep a copy of it before you try.');
  }
}

/** SQLite's own shell reads what can be read of an ordinary file. */
function salvage(path: string): string {
  return `Put a copy in its place, or save what can be read: sqlite3 ${path} .recover | sqlite3 ${path}.saved`;
}
