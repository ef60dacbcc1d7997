/**
 * A note beside a store that was closed cleanly: the file, as it was left, has been looked through. Who
 * opens that very file again need not look again, which would take 4 ms a megabyte. A copy, and a file
 * that anything was done to since, is not that file.
 */
import fs from 'node:fs';

const markOf = (file: string): string => `${file}.checked`;

/** Which reader has looked through the file as it is now; undefined for one that nobody has. */
export function checkedBy(file: string): string | undefined {
  try {
    const [reader, ...left] = fs.readFileSync(markOf(file), 'utf8').split(' ');
    return left.join(' ') === stateOf(file) ? reader : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Without the note the next start looks through the file: no reason to fail an end.
 * @param reader the versions of what reads the file, without a space: a new one looks for itself
 */
export function markChecked(file: string, reader: string): void {
  try {
    fs.writeFileSync(markOf(file), `${reader} ${stateOf(file)}`, { mode: 0o600 });
  } catch {
    // A full disk, a folder that is gone.
  }
}

function stateOf(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
