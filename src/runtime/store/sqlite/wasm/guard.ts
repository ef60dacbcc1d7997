/**
 * Keeps other SQLite programs out of a live store. The WASM build has no file locks, so one of them
 * would fold and delete our WAL. Two measures, both survive kill -9:
 * - the header's format versions (bytes 18 and 19) say 3 on disk while SQLite inside sees 2 (WAL
 *   mode): others refuse the file with "file is not a database";
 * - the WAL has a name they do not look for.
 * Leaving WAL mode writes 1 there, which is not veiled: a cleanly closed store is an ordinary file.
 */
const FIRST = 18;
const END = 20;
const WAL_MODE = 2;
const VEILED = 3;

/** Suffixes of the files beside the store, by the suffix SQLite asks for. */
export const liveSuffixes = {
  '-wal': '.live-wal',
  '-journal': '.live-journal',
  '-shm': '.live-shm',
} as const;

/** Whether a run of bytes at an offset of the file touches the format versions. */
export function touchesVersions(offset: number, length: number): boolean {
  return offset < END && offset + length > FIRST;
}

/** In place: what goes to the disk. `offset` is where in the file the bytes belong. */
export function veil(bytes: Uint8Array, offset: number): void {
  swap(bytes, offset, WAL_MODE, VEILED);
}

/** In place: what SQLite gets to see. */
export function unveil(bytes: Uint8Array, offset: number): void {
  swap(bytes, offset, VEILED, WAL_MODE);
}

function swap(bytes: Uint8Array, offset: number, from: number, to: number): void {
  for (let at = FIRST; at < END; at++) {
    if (bytes[at - offset] === from) bytes[at - offset] = to;
  }
}
