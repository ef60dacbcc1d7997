/** Watches a folder that another program fills, such as `git clone`, which has no limit of its own. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const everyMs = 500;

/**
 * Calls back once when the files of a folder have more bytes than they may.
 * @param folder need not exist yet
 * @returns ends the watch
 */
export function watchSize(folder: string, mostBytes: number, tooLarge: () => void): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  const look = async (): Promise<void> => {
    const size = await sizeOf(folder, mostBytes);
    if (isOver) return;
    if (size > mostBytes) tooLarge();
    else timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), everyMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Whether the files of a folder have more bytes than this. */
export async function hasMoreThan(folder: string, bytes: number): Promise<boolean> {
  return (await sizeOf(folder, bytes)) > bytes;
}

/** As far as it is needed to tell that it is too much. Files that go away meanwhile have no bytes. */
async function sizeOf(folder: string, enough: number): Promise<number> {
  let size = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) size += (await stat(path).catch(() => undefined))?.size ?? 0;
      if (size > enough) return size;
    }
  }
  return size;
}
