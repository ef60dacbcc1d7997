/** Files that come from elsewhere, written beside what is there already. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Dirent } from 'node:fs';

export interface Written {
  /** Files that were written, absolute. */
  readonly written: string[];
  /** Files that are here with other content, and stay as they are. */
  readonly kept: string[];
}

/** @param files by their path below the folder, with "/" */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  { replace }: { readonly replace: boolean },
): Promise<Written> {
  const result: Written = { written: [], kept: [] };
  for (const [path, content] of files) {
    const target = join(folder, path);
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    const before = await readFile(target).catch(() => undefined);
    if (before?.equals(bytes) === true) continue;
    if (before !== undefined && !replace) {
      result.kept.push(target);
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    result.written.push(target);
  }
  return result;
}

/** What lies in a folder, without what git and npm keep there; links are not followed. */
export async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && entry.name !== 'node_modules') folders.push(path);
      } else if (entry.isFile()) {
        files.set(relative(folder, path).replaceAll('\\', '/'), await readFile(path));
      }
    }
  }
  return files;
}
