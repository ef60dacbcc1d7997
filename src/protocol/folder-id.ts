import { statSync } from 'node:fs';

/**
 * Device and number of a folder: the same by every path to it, another one for every copy of it. While
 * a folder is open no other one gets its number.
 * @throws the system's error when it is not there.
 */
export function folderId(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}-${ino}`;
}
