/** Errno numbers of the C library inside the WASM build (wasi numbering), for what node:fs can say. */
const numbers: Readonly<Record<string, number>> = {
  EACCES: 2,
  EBADF: 8,
  EEXIST: 20,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  EMFILE: 33,
  ENOENT: 44,
  ENOSPC: 51,
  ENOTDIR: 54,
  EPERM: 63,
  EROFS: 69,
};

export const EINVAL = 28;

/** Anything that has no number of its own is an I/O error to SQLite. */
export function errnoOf(error: unknown): number {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return numbers[code ?? 'EIO'] ?? 29;
}
