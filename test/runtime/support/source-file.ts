import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a component's code into a folder and returns its path. */
export async function sourceFile(folder: string, name: string, code: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, code);
  return path;
}
