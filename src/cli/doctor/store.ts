import { join } from 'node:path';
import { findRuntime } from '../../client/runtime-file.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Salvaged } from '../../runtime/store/sqlite/salvage.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, ok } from './check.ts';

const salvage =
  'Put a copy in its place, or save what can be read with "weir doctor --salvage FILE".';

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
    return bad(name, `${path} is damaged: ${first}`, salvage);
  } catch (error) {
    return bad(name, messageOf(error), `It was left as it is. ${salvage}`);
  }
}

/** Writes what can be read of the store into another file; the store itself stays as it is. */
export async function salvageStore(folder: string, file: string): Promise<Salvaged> {
  if ((await findRuntime(folder)) !== undefined) {
    throw new WeirError(
      'conflict',
      `The runtime of ${folder} has the store open: stop it first, or write a copy with "weir db copy FILE".`,
    );
  }
  return loadRuntime().salvageDataFolder(folder, file);
}
