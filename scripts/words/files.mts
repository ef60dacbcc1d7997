import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Paths of the files below a folder with an ending, sorted; both relative to the project. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}
