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
