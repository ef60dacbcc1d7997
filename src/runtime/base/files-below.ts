/** The files of a workspace, as far as a person works on them. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A workspace of a whole registry has some 20,000; nothing is looked for beyond. */
const mostFiles = 30_000;

/** Files of every data folder, whichever store it uses. */
const ofDataFolder = new Set(['weir.db', 'runtime.json']);

/**
 * Nearest folders first; those of packages, hidden ones and data folders are not looked into.
 * @param wanted what the name of a file has to match
 */
export async function* filesBelow(
  root: string,
  wanted: RegExp,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const folders = [root];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    // A copy that Weir keeps of a component is not the component.
    if (folder !== root && entries.some(({ name }) => ofDataFolder.has(name))) continue;
    for (const entry of entries) {
      signal?.throwIfAborted();
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && wanted.test(entry.name)) {
        seen += 1;
        if (seen > mostFiles) return;
        yield path;
      }
    }
  }
}
