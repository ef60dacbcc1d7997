/** The folders below one that hold a workflow. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const mostFolders = 50_000;

/** @returns absolute paths, in the order of their names */
export async function findWorkflows(root: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const folders = [root];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    if ((seen += 1) > mostFolders) break;
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    if (entries.some((entry) => entry.isFile() && entry.name === 'workflow.yaml')) {
      found.push(folder);
    }
    for (const entry of entries) {
      const isAside = entry.name === 'node_modules' || entry.name.startsWith('.');
      if (entry.isDirectory() && !isAside) folders.push(join(folder, entry.name));
    }
  }
  return found.sort();
}
