/**
 * A note beside a store that was moved to PostgreSQL: two runtimes that both go on from one state would each send
 * what the other sends, so the file is not opened any more. It stays, for whoever wants to look at it.
 */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { diskIo, syncFolder } from './wasm/io.ts';

export interface MovedMark {
  /** The database, without a password. */
  readonly to: string;
  /** Id of the move; the database has it too once it is done. */
  readonly id: string;
  /** `moving`: about to be committed; whether it was is not known yet. */
  readonly state: 'moving' | 'moved';
  /** ISO 8601. */
  readonly at: string;
}

export function movedMarkOf(file: string): MovedMark | undefined {
  try {
    return JSON.parse(fs.readFileSync(pathOf(file), 'utf8')) as MovedMark;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new WeirError(
      'store_failed',
      `${pathOf(file)} cannot be read: it says where this store was moved to.`,
      undefined,
      error,
    );
  }
}

/** On disk when this returns. */
export function markMoved(file: string, mark: MovedMark): void {
  const unfinished = `${pathOf(file)}.new`;
  fs.writeFileSync(unfinished, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  fs.renameSync(unfinished, pathOf(file));
  syncFolder(diskIo, dirname(file));
}

export function unmarkMoved(file: string): void {
  fs.rmSync(pathOf(file), { force: true });
  syncFolder(diskIo, dirname(file));
}

/** @throws WeirError('store_failed') that says where the store is now */
export function refuseMoved(file: string): void {
  const mark = movedMarkOf(file);
  if (mark === undefined) return;
  throw new WeirError(
    'store_failed',
    mark.state === 'moved'
      ? `The store ${file} was moved to ${mark.to} at ${mark.at}: start with "weir serve --store ${mark.to}", or bring it back with "weir db move --from ${mark.to}".`
      : `A move of the store ${file} to ${mark.to} was cut off while it ended: run "weir db move --to ${mark.to}" again, which finishes it or says that nothing was moved.`,
  );
}

function pathOf(file: string): string {
  return `${file}.moved`;
}
