import fs from 'node:fs';
import type { FileIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';

export function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: on purpose`), { code });
}

export type Fault = 'write' | 'sync' | 'barrier' | 'read';

/** The real disk, until `broken` names what it refuses from then on. */
export function breakable(code: string) {
  const state: { broken: Fault | undefined } = { broken: undefined };
  const fail = (fault: Fault) => {
    if (state.broken === fault) throw failure(code);
  };
  const io: FileIo = {
    ...fs,
    writeSync: ((...args: Parameters<typeof fs.writeSync>) => {
      fail('write');
      return fs.writeSync(...args);
    }) as typeof fs.writeSync,
    readSync: ((...args: Parameters<typeof fs.readSync>) => {
      fail('read');
      return fs.readSync(...args);
    }) as typeof fs.readSync,
    fdatasyncSync(fd) {
      fail('sync');
      fs.fdatasyncSync(fd);
    },
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      if (state.broken === 'barrier') setImmediate(done, failure(code));
      else fs.fdatasync(fd, done);
    }) as typeof fs.fdatasync,
  };
  return { io, state };
}
