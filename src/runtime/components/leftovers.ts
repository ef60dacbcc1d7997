import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders are filled under such a name and renamed when they are whole. */
const prefix = '.new-';

/** A path inside a folder to fill something under. */
export function temporaryIn(folder: string): string {
  return join(folder, prefix + randomUUID());
}

/** Removes what a runtime that was killed left half done. Only one runtime uses a data folder. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((name) => name.startsWith(prefix));
  await Promise.all(
    leftovers.map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
}
