import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskRuntime } from '../channel/requests.ts';
import { type StoredFile, storedFile } from './stored-file.ts';

/** Type of `this.<dir>`: files in the source's own temporary folder, which is also `STASH_DIR`. */
export interface Dir {
  /** Neither creates nor checks the file. Throws RangeError for a path that leads out of the folder. */
  open(path: unknown): StoredFile;
}

/** @param folder of the source; without one, a folder among the system's temporary files */
export function dirFactory(folder: string | undefined, askRuntime: AskRuntime): () => Dir {
  const root = folder ?? join(tmpdir(), 'weir-stash');
  return () => ({ open: (path: unknown) => storedFile(root, String(path), askRuntime) });
}
