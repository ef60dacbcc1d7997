import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of all files in a folder that is written to meanwhile. */
export async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const one = await stat(join(folder, name)).catch(() => undefined);
      return one?.isFile() === true ? one.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
