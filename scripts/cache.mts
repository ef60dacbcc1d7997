import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where downloads that are not dependencies are kept, shared by all clones of the project. */
export const cacheFolder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'weir',
);

/**
 * Makes a folder of the cache once. It is built aside and renamed, so that neither an interrupted nor a running build is taken
 * for a whole one, whichever process finishes first.
 */
export async function makeOnce(
  folder: string,
  build: (building: string) => Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(path.dirname(folder), { recursive: true });
  const building = await mkdtemp(`${folder}.`);
  try {
    await build(building);
    await rename(building, folder);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    // Another process has finished the same folder first.
    if (!existsSync(folder)) throw error;
  }
}
