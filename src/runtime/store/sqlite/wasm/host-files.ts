import fs, { type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { liveSuffixes } from './guard.ts';
import { HostFile } from './host-file.ts';
import { type FileIo, syncFolder } from './io.ts';

/** Descriptors from here on are ours; Emscripten's own stay far below. */
const FIRST_DESCRIPTOR = 1 << 20;

/** Flags of `open` inside the WASM build (musl), with those of this system. */
const openFlags = [
  [0o1, fs.constants.O_WRONLY],
  [0o2, fs.constants.O_RDWR],
  [0o100, fs.constants.O_CREAT],
  [0o200, fs.constants.O_EXCL],
  [0o1000, fs.constants.O_TRUNC],
] as const;

interface RealFile {
  readonly path: string;
  readonly guarded: boolean;
}

/**
 * The files of this process that SQLite may reach on the real disk: a virtual path that was mapped
 * leads to a real one, everything else stays in Emscripten's memory.
 */
export class HostFiles {
  readonly io: FileIo;
  readonly #mapped = new Map<string, RealFile>();
  readonly #open = new Map<number, HostFile>();
  #nextDescriptor = FIRST_DESCRIPTOR;
  #deferring = false;
  /** The last error of the disk: SQLite keeps only a number. */
  lastError: unknown;

  constructor(io: FileIo) {
    this.io = io;
  }

  /** `guarded`: a live store that others are kept out of, else an ordinary file. */
  map(virtual: string, path: string, guarded: boolean): void {
    this.#mapped.set(virtual, { path, guarded });
    for (const [suffix, live] of Object.entries(liveSuffixes)) {
      const real = guarded ? path + live : path + suffix;
      this.#mapped.set(virtual + suffix, { path: real, guarded: false });
    }
  }

  unmap(virtual: string): void {
    this.#mapped.delete(virtual);
    for (const suffix of Object.keys(liveSuffixes)) this.#mapped.delete(virtual + suffix);
  }

  has(virtual: string): boolean {
    return this.#mapped.has(virtual);
  }

  open(virtual: string, flags: number): number {
    const real = this.#real(virtual);
    let systemFlags = 0;
    for (const [theirs, ours] of openFlags) if ((flags & theirs) !== 0) systemFlags |= ours;
    const creates = (systemFlags & fs.constants.O_CREAT) !== 0 && !this.exists(virtual);
    const file = new HostFile(this.io, real.path, systemFlags, real.guarded);
    const descriptor = this.#nextDescriptor++;
    this.#open.set(descriptor, file);
    // SQLite would sync the folder itself, but it sees Emscripten's.
    if (creates) syncFolder(this.io, dirname(real.path));
    return descriptor;
  }

  get(descriptor: number): HostFile | undefined {
    return descriptor < FIRST_DESCRIPTOR ? undefined : this.#open.get(descriptor);
  }

  close(descriptor: number): void {
    const file = this.#open.get(descriptor);
    this.#open.delete(descriptor);
    file?.close();
  }

  stat(virtual: string): Stats {
    const { path } = this.#real(virtual);
    for (const file of this.#open.values()) if (file.path === path) file.flush();
    return this.io.statSync(path);
  }

  access(virtual: string): void {
    this.io.accessSync(this.#real(virtual).path);
  }

  exists(virtual: string): boolean {
    try {
      this.access(virtual);
      return true;
    } catch {
      return false;
    }
  }

  unlink(virtual: string): void {
    const { path } = this.#real(virtual);
    this.io.unlinkSync(path);
    syncFolder(this.io, dirname(path));
  }

  /**
   * SQLite's barrier. A group's commit leaves it to the caller, who makes one off the event loop; the
   * one after a new WAL header is always real, because SQLite relies on the order (its ticket
   * ff5be73dee).
   */
  syncAsked(file: HostFile): void {
    if (this.#deferring && !file.headerWritten) file.flush();
    else file.sync();
  }

  /**
   * Makes an open file durable, for a caller that has made SQLite skip barriers.
   * @throws the error of the disk; SQLite would ignore it when it closes the file
   */
  sync(virtual: string): void {
    this.#find(virtual)?.sync();
  }

  /** Runs a commit whose last barrier the caller makes with `barrier()`. */
  deferring(commit: () => void): void {
    this.#deferring = true;
    try {
      commit();
    } finally {
      this.#deferring = false;
    }
  }

  /** Makes the WAL durable, off the event loop. */
  async barrier(virtual: string): Promise<void> {
    const wal = this.#find(`${virtual}-wal`);
    if (wal?.dirty === true) await wal.syncLater();
  }

  /** Bytes of the WAL in use since it was last started again. */
  walBytes(virtual: string): number {
    return this.#find(`${virtual}-wal`)?.written ?? 0;
  }

  /** False once a file that is written to was deleted, moved away or replaced. */
  get inPlace(): boolean {
    return [...this.#open.values()].every((file) => file.inPlace);
  }

  /** Closes everything as a crash would. The files stay as they are on the disk. */
  abandon(): void {
    for (const file of this.#open.values()) file.abandon();
    this.#open.clear();
  }

  #find(virtual: string): HostFile | undefined {
    const path = this.#mapped.get(virtual)?.path;
    for (const file of this.#open.values()) if (file.path === path) return file;
    return undefined;
  }

  #real(virtual: string): RealFile {
    const real = this.#mapped.get(virtual);
    if (real === undefined) throw new Error(`No real file for ${virtual}`);
    return real;
  }
}
