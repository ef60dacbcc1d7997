import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * Whether a file is in a folder, also if that is reached by a link.
 * @param path absolute, with links followed or not
 */
export function isInFolder(folder: string, path: string): boolean {
  if (path.startsWith(folder + sep)) return true;
  try {
    return path.startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}
