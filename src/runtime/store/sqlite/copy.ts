import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { type FileIo, syncFolder } from './wasm/io.ts';
import { dirname } from 'node:path';

/**
 * Writes an ordinary SQLite file. The name is taken first, so that nothing is ever overwritten; what
 * was begun is removed when it cannot be finished.
 * @param fill writes the copy into the empty file.
 * @returns its size in bytes.
 */
export function copyTo(io: FileIo, file: string, fill: (file: string) => void): number {
  claim(io, file);
  try {
    fill(file);
    const fd = io.openSync(file, 'r+');
    try {
      io.fsyncSync(fd);
    } finally {
      io.closeSync(fd);
    }
    syncFolder(io, dirname(file));
    return io.statSync(file).size;
  } catch (error) {
    io.rmSync(file, { force: true });
    throw new WeirError(
      'store_failed',
      `The copy ${file} could not be written (${messageOf(error)}): the store itself is unharmed.`,
      undefined,
      error,
    );
  }
}

function claim(io: FileIo, file: string): void {
  try {
    io.closeSync(io.openSync(file, 'wx', 0o600));
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (exists) {
      throw new WeirError('conflict', `${file} exists already: choose another name for the copy.`);
    }
    throw new WeirError(
      'bad_input',
      `The copy ${file} cannot be made there (${messageOf(error)}).`,
      undefined,
      error,
    );
  }
}
