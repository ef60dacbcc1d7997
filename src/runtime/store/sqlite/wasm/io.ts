import fs from 'node:fs';

/** The calls to the real disk; a test passes one that fails on purpose. */
export type FileIo = Pick<
  typeof fs,
  | 'accessSync'
  | 'closeSync'
  | 'fdatasync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'openSync'
  | 'readSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
>;

export const diskIo: FileIo = fs;

/** Makes names that were created or removed in a folder durable. Windows has no such call. */
export function syncFolder(io: FileIo, folder: string): void {
  if (process.platform === 'win32') return;
  const fd = io.openSync(folder, 'r');
  try {
    io.fsyncSync(fd);
  } finally {
    io.closeSync(fd);
  }
}

/** The system may give less than it was asked for. Less than the target's length is the end of the file. */
export function readFully(io: FileIo, fd: number, target: Uint8Array, at: number): number {
  let done = 0;
  while (done < target.length) {
    const read = io.readSync(fd, target, done, target.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

/** The system may take less than it was given. */
export function writeFully(io: FileIo, fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;) {
    done += io.writeSync(fd, bytes, done, bytes.length - done, at + done);
  }
}
