import fs from 'node:fs';
import { basename, join } from 'node:path';
import type { FileIo } from '../../src/runtime/store/sqlite/wasm/io.ts';

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly size: number };

interface Disk {
  /** What survives a power cut for certain. */
  durable: Buffer;
  /** What came after the last barrier: any of it may be there, or a part, or not. */
  pending: Change[];
}

/** What a power cut left of each file, by name. */
export type Remains = Map<string, Buffer>;

/**
 * When the disk says that it has written: when it has, some turns of the loop before it has (off the
 * loop only), or without ever having. Tests must notice the last two.
 */
export type Barriers = 'kept' | 'late' | 'none';

/** A disk that knows what its power's failure would leave. Making and removing names is durable at once. */
export class PowerDisk {
  readonly #files = new Map<string, Disk>();
  readonly #paths = new Map<number, string>();
  readonly #barriers: Barriers;
  /** Told before each write and barrier: a moment at which the power may fail. */
  onCall: () => void = () => undefined;

  constructor(barriers: Barriers = 'kept') {
    this.#barriers = barriers;
  }

  readonly io: FileIo = {
    ...fs,
    openSync: ((path: string, flags: string | number, mode?: number) => {
      const fd = fs.openSync(path, flags, mode);
      this.#paths.set(fd, path);
      if (!this.#files.has(path) && fs.statSync(path).isFile()) {
        this.#files.set(path, { durable: fs.readFileSync(path), pending: [] });
      }
      return fd;
    }) as typeof fs.openSync,
    writeSync: ((fd: number, bytes: Uint8Array, offset: number, length: number, at: number) => {
      this.onCall();
      const copy = Buffer.from(bytes.subarray(offset, offset + length));
      this.#of(fd).pending.push({ at, bytes: copy });
      return fs.writeSync(fd, bytes, offset, length, at);
    }) as typeof fs.writeSync,
    ftruncateSync: (fd, size) => {
      this.onCall();
      this.#of(fd).pending.push({ size: size ?? 0 });
      fs.ftruncateSync(fd, size);
    },
    fdatasyncSync: (fd) => {
      this.onCall();
      const disk = this.#of(fd);
      this.#settle(disk, disk.pending.at(-1));
    },
    fdatasync: ((fd: number, done: (error: null) => void) => {
      const disk = this.#of(fd);
      const covered = disk.pending.at(-1);
      // Turns of the loop, not time: with the same seed a test goes the same way.
      setImmediate(() => {
        this.onCall();
        if (this.#barriers === 'late') afterTurns(6, () => this.#settle(disk, covered));
        else this.#settle(disk, covered);
        done(null);
      });
    }) as unknown as typeof fs.fdatasync,
    unlinkSync: (path) => {
      fs.unlinkSync(path);
      this.#files.delete(String(path));
    },
    renameSync: (from, to) => {
      fs.renameSync(from, to);
      const disk = this.#files.get(String(from));
      this.#files.delete(String(from));
      if (disk !== undefined) this.#files.set(String(to), disk);
    },
  };

  /** What would be there if the power failed now, as chance will have it. Only the store's own files. */
  cut(random: () => number): Remains {
    const remains: Remains = new Map();
    for (const [path, { durable, pending }] of this.#files) {
      let bytes: Buffer = Buffer.from(durable);
      for (const change of survivors(pending, random)) bytes = apply(bytes, change);
      remains.set(basename(path), bytes);
    }
    return remains;
  }

  /** All up to a change, unless it is durable already. */
  #settle(disk: Disk, covered: Change | undefined): void {
    if (this.#barriers === 'none' || covered === undefined) return;
    const count = disk.pending.indexOf(covered) + 1;
    for (const change of disk.pending.splice(0, count)) disk.durable = apply(disk.durable, change);
  }

  #of(fd: number): Disk {
    const disk = this.#files.get(this.#paths.get(fd) ?? '');
    if (disk === undefined) throw new Error(`No file has descriptor ${fd}`);
    return disk;
  }
}

function afterTurns(turns: number, act: () => void): void {
  if (turns === 0) act();
  else setImmediate(() => afterTurns(turns - 1, act));
}

/** None, some, or all of it, some of that torn. */
function survivors(pending: readonly Change[], random: () => number): Change[] {
  const share = [0, 0.3, 0.8, 1][Math.floor(random() * 4)] ?? 0;
  return pending
    .filter(() => random() < share)
    .map((change) => {
      if ('size' in change || random() < 0.9) return change;
      const torn = Math.floor((change.bytes.length * random()) / 512) * 512;
      return { at: change.at, bytes: change.bytes.subarray(0, torn) };
    });
}

/** mulberry32: numbers from 0 to 1, the same ones for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function writeRemains(folder: string, remains: Remains): void {
  for (const [name, bytes] of remains) fs.writeFileSync(join(folder, name), bytes);
}

function apply(bytes: Buffer, change: Change): Buffer {
  if ('size' in change) return resized(bytes, change.size);
  const end = change.at + change.bytes.length;
  const target = end > bytes.length ? resized(bytes, end) : bytes;
  change.bytes.copy(target, change.at);
  return target;
}

/** Grows in steps, so that a file that is appended to is not copied each time. */
function resized(bytes: Buffer, size: number): Buffer {
  if (size <= bytes.buffer.byteLength - bytes.byteOffset && bytes.length < size) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, size).fill(0, bytes.length);
  }
  if (size < bytes.length) return Buffer.from(bytes.subarray(0, size));
  const larger = Buffer.from(new ArrayBuffer(size * 2), 0, size);
  bytes.copy(larger);
  return larger;
}
