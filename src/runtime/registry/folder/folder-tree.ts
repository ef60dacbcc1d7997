/** The files of a folder of this machine. */
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dirent } from 'node:fs';
import type { Tree } from '../tree.ts';

/** The platform's whole repository has some 20,000. */
const mostFiles = 60_000;
const largestBytes = 5 * 1024 * 1024;

/** Hidden folders, packages and links are left out. */
export async function folderTree(root: string, signal: AbortSignal): Promise<Tree> {
  const paths = new Set<string>();
  const folders = [''];
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    signal.throwIfAborted();
    const entries = await readdir(join(root, at), { withFileTypes: true }).catch(
      (): Dirent[] => [],
    );
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && paths.size < mostFiles) paths.add(path);
    }
  }
  return {
    paths,
    async read(wanted, reading) {
      const found = new Map<string, Uint8Array>();
      for (const path of wanted) {
        reading.throwIfAborted();
        if (!paths.has(path)) continue;
        const data = await readRegular(join(root, path));
        if (data !== undefined) found.set(path, data);
      }
      return found;
    },
  };
}

/** A link that has taken the place of a file since the folder was read is not followed. */
async function readRegular(path: string): Promise<Uint8Array | undefined> {
  const before = await lstat(path).catch(() => undefined);
  if (before?.isFile() !== true || before.size > largestBytes) return undefined;
  const file = await open(path, 'r');
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
