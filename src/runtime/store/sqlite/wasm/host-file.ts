import type { Stats } from 'node:fs';
import { touchesVersions, unveil, veil } from './guard.ts';
import { type FileIo, readFully, writeFully } from './io.ts';

/** Longest run of adjacent writes that is joined. A commit's WAL frames make one run. */
const RUN_BYTES = 1 << 20;

/**
 * One open file of the store on the real disk. Adjacent writes are joined in memory and written at
 * the next sync, at a read that needs them, or when the run ends (20 % faster: a WAL frame is a
 * header and a page, written one after the other).
 */
export class HostFile {
  readonly path: string;
  readonly #io: FileIo;
  readonly #fd: number;
  readonly #guarded: boolean;
  readonly #place: Stats;
  position = 0;
  size: number;
  /** Written since the last real barrier. */
  dirty = false;
  /** The first byte was written since the last real barrier: a new WAL header. */
  headerWritten = false;
  /** End of what was written since the first byte was written last: the part of a WAL in use. */
  written = 0;
  #run: Buffer | undefined;
  #runAt = 0;
  #runLength = 0;

  constructor(io: FileIo, path: string, flags: number, guarded: boolean) {
    this.path = path;
    this.#io = io;
    this.#guarded = guarded;
    this.#fd = io.openSync(path, flags, 0o600);
    this.size = io.fstatSync(this.#fd).size;
    this.#place = io.statSync(path);
  }

  /** Whether its path still leads to it. It is open, so its number goes to no other file. */
  get inPlace(): boolean {
    try {
      const now = this.#io.statSync(this.path, { throwIfNoEntry: false });
      return now !== undefined && now.dev === this.#place.dev && now.ino === this.#place.ino;
    } catch {
      // An error of the disk shows at the next write or read.
      return true;
    }
  }

  /** Fills the target from the current position; less than its length only at the end of the file. */
  read(target: Uint8Array): number {
    const at = this.position;
    const copied = this.#readFromRun(target, at);
    const length = copied ? target.length : this.#readFromDisk(target, at);
    this.position += length;
    return length;
  }

  write(source: Uint8Array): void {
    const at = this.position;
    this.#put(source, at);
    this.position += source.length;
    this.size = Math.max(this.size, this.position);
    this.dirty = true;
    if (at === 0) {
      this.headerWritten = true;
      this.written = 0;
    }
    this.written = Math.max(this.written, this.position);
  }

  /** Hands what was joined to the operating system: it survives the end of this process. */
  flush(): void {
    if (this.#run === undefined || this.#runLength === 0) return;
    writeFully(this.#io, this.#fd, this.#run.subarray(0, this.#runLength), this.#runAt);
    this.#runLength = 0;
  }

  /** Barrier on the spot: what was written survives a power cut. */
  sync(): void {
    this.flush();
    this.#io.fdatasyncSync(this.#fd);
    this.#clean();
  }

  /** The same outside of the event loop. Covers what was flushed before the call. */
  syncLater(): Promise<void> {
    this.flush();
    this.#clean();
    return new Promise((resolve, reject) => {
      this.#io.fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  truncate(size: number): void {
    this.flush();
    this.#io.ftruncateSync(this.#fd, size);
    this.size = size;
    this.dirty = true;
  }

  stat(): Stats {
    return this.#io.fstatSync(this.#fd);
  }

  close(): void {
    this.flush();
    this.abandon();
  }

  /** Closes as a crash would: what was not flushed is gone. */
  abandon(): void {
    this.#runLength = 0;
    this.#io.closeSync(this.#fd);
  }

  #clean(): void {
    this.dirty = false;
    this.headerWritten = false;
  }

  #put(source: Uint8Array, at: number): void {
    if (this.#guarded && touchesVersions(at, source.length)) {
      this.flush();
      const copy = Buffer.from(source);
      veil(copy, at);
      writeFully(this.#io, this.#fd, copy, at);
      return;
    }
    const inRun = at - this.#runAt;
    const rewrites = inRun >= 0 && inRun + source.length <= this.#runLength;
    if (this.#run !== undefined && this.#runLength > 0 && rewrites) {
      this.#run.set(source, inRun);
      return;
    }
    const follows = inRun === this.#runLength && inRun + source.length <= RUN_BYTES;
    if (!follows) this.flush();
    if (source.length > RUN_BYTES) {
      writeFully(this.#io, this.#fd, source, at);
      return;
    }
    this.#run ??= Buffer.allocUnsafeSlow(RUN_BYTES);
    if (this.#runLength === 0) this.#runAt = at;
    this.#run.set(source, this.#runLength);
    this.#runLength += source.length;
  }

  #readFromRun(target: Uint8Array, at: number): boolean {
    if (this.#run === undefined || this.#runLength === 0) return false;
    const inRun = at - this.#runAt;
    if (inRun >= 0 && inRun + target.length <= this.#runLength) {
      target.set(this.#run.subarray(inRun, inRun + target.length));
      return true;
    }
    if (inRun < this.#runLength && inRun + target.length > 0) this.flush();
    return false;
  }

  #readFromDisk(target: Uint8Array, at: number): number {
    const length = readFully(this.#io, this.#fd, target, at);
    if (this.#guarded && touchesVersions(at, length)) unveil(target.subarray(0, length), at);
    return length;
  }
}
