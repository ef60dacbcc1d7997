import { EINVAL, errnoOf } from './errno.ts';
import type { HostFile } from './host-file.ts';
import type { HostFiles } from './host-files.ts';
import type { WasmMemory } from './memory.ts';
import { writeStat } from './stat.ts';

type Call = (...args: never[]) => number;
/** The functions the WASM module imports, by name. */
export type Imports = Record<string, Call>;

const F_GETLK = 5;
const F_UNLCK = 2;

/**
 * The file calls of sql.js's debug build (its import names are readable and documented by musl and
 * WASI), each answered by the real disk when it is about a mapped file and by Emscripten otherwise.
 * The version of sql.js is pinned and its WASM ships with us.
 */
export function fileCalls(original: Imports, files: HostFiles, memory: WasmMemory): Imports {
  const calls: Imports = {};

  /** `at` is which argument holds the path. Linux style: a negative errno says what went wrong. */
  function onPath(
    name: string,
    at: number,
    call: (path: string, ...args: number[]) => number,
  ): void {
    const emscripten = existing(original, name);
    calls[name] = (...args: number[]) => {
      const path = absolute(memory.cString(args[at] ?? 0));
      if (!files.has(path)) return emscripten(...args);
      return attempt(files, -1, () => call(path, ...args));
    };
  }

  /** WASI style calls return the errno itself (`sign` 1), Linux style ones negate it (-1). */
  function onFile(
    name: string,
    sign: 1 | -1,
    call: (file: HostFile, ...args: number[]) => number,
  ): void {
    const emscripten = existing(original, name);
    calls[name] = (...args: number[]) => {
      const file = files.get(args[0] ?? 0);
      if (file === undefined) return emscripten(...args);
      return attempt(files, sign, () => call(file, ...args));
    };
  }

  onPath('__syscall_openat', 1, (path, _folder, _path, flags = 0) => files.open(path, flags));
  onPath('__syscall_stat64', 0, (path, _path, to = 0) => writeStat(memory, to, files.stat(path)));
  // A link is followed: the real path of the store may be one.
  onPath('__syscall_lstat64', 0, (path, _path, to = 0) => writeStat(memory, to, files.stat(path)));
  onPath('__syscall_newfstatat', 1, (path, _folder, _path, to = 0) =>
    writeStat(memory, to, files.stat(path)),
  );
  onPath('__syscall_faccessat', 1, (path) => done(files.access(path)));
  onPath('__syscall_unlinkat', 1, (path) => done(files.unlink(path)));
  onPath('__syscall_readlinkat', 1, () => -EINVAL);
  onPath('__syscall_utimensat', 1, () => 0);

  onFile('fd_close', 1, (_file, descriptor = 0) => done(files.close(descriptor)));
  onFile('fd_sync', 1, (file) => done(files.syncAsked(file)));
  onFile('fd_read', 1, (file, _fd, vectors = 0, count = 0, result = 0) => {
    const read = transfer(memory, vectors, count, (bytes) => file.read(bytes));
    memory.words[result >> 2] = read;
    return 0;
  });
  onFile('fd_write', 1, (file, _fd, vectors = 0, count = 0, result = 0) => {
    const written = transfer(memory, vectors, count, (bytes) => {
      file.write(bytes);
      return bytes.length;
    });
    memory.words[result >> 2] = written;
    return 0;
  });
  onFile('fd_seek', 1, (file, _fd, offset: number | bigint = 0, whence = 0, result = 0) => {
    const base = [0, file.position, file.size][whence] ?? 0;
    file.position = base + Number(offset);
    memory.longs[result >> 3] = BigInt(file.position);
    return 0;
  });
  onFile('__syscall_ftruncate64', -1, (file, _fd, size: number | bigint = 0) =>
    done(file.truncate(Number(size))),
  );
  onFile('__syscall_fstat64', -1, (file, _fd, to = 0) =>
    writeStat(memory, to, file.stat(), file.size),
  );
  // Locks always succeed: the data folder's lock keeps other runtimes out, the guard other programs.
  onFile('__syscall_fcntl64', -1, (_file, _fd, command = 0, varargs = 0) => {
    if (command === F_GETLK) memory.bytes.writeInt16LE(F_UNLCK, memory.words[varargs >> 2] ?? 0);
    return 0;
  });
  onFile('__syscall_fchmod', -1, () => 0);
  onFile('__syscall_fchown32', -1, () => 0);
  return calls;
}

function existing(original: Imports, name: string): (...args: number[]) => number {
  const call = original[name] as ((...args: number[]) => number) | undefined;
  if (call === undefined)
    throw new Error(`sql.js no longer imports ${name}: not the pinned build.`);
  return call;
}

function attempt(files: HostFiles, sign: 1 | -1, call: () => number): number {
  try {
    return call();
  } catch (error) {
    // ENOENT is how SQLite asks whether a file exists.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') files.lastError = error;
    return sign * errnoOf(error);
  }
}

/** Reads or writes a list of {address, length} pieces until one is cut short. */
function transfer(
  memory: WasmMemory,
  vectors: number,
  count: number,
  move: (bytes: Uint8Array) => number,
): number {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const address = memory.words[(vectors >> 2) + i * 2] ?? 0;
    const length = memory.words[(vectors >> 2) + i * 2 + 1] ?? 0;
    const moved = move(memory.bytes.subarray(address, address + length));
    total += moved;
    if (moved < length) break;
  }
  return total;
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function done(_nothing: void): number {
  return 0;
}
