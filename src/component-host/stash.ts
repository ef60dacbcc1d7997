import { mkdirSync } from 'node:fs';

/** Components write files below `STASH_DIR`, else below /tmp, and expect it to be there (P15.4, P15.5). */
export function useStash(folder: string | undefined): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env['STASH_DIR'] = folder;
}
