import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The folders in which components keep files of their own (`STASH_DIR`, `dir` props). As on the
 * platform nothing may rely on them for long (P15.4): each start of the runtime empties them.
 * @returns the folder of a source by its id; the component's process makes it
 */
export async function openStash(folder: string): Promise<(id: string) => string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return (id) => join(folder, id);
}

/** Removes the leg folders that steps of an ended process left behind. Programs that they started may still write. */
export async function removeLegs(folder: string, pid: number): Promise<void> {
  const own = join(folder, String(pid));
  await rm(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
    () => undefined,
  );
}
