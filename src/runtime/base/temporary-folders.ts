import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders are filled under a temporary name and renamed when they are complete. */
const prefix = '.new-';

/** A new temporary path inside a folder. */
export function temporaryIn(folder: string): string {
  return join(folder, prefix + randomUUID());
}

/** Removes what a runtime that was killed left incomplete. Only one runtime uses a data folder. */
export async function removeTemporaryFolders(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((name) => name.startsWith(prefix));
  await Promise.all(
    leftovers.map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
}
