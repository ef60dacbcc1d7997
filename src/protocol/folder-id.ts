import { statSync } from 'node:fs';

/**
 * Device and inode number of a folder: the same for every path to it, different for every copy. While a folder is open,
 * no other folder gets its number.
 * @throws the system's error if the folder does not exist
 */
export function folderId(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}-${ino}`;
}
