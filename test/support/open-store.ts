/** For tests and for the processes that they start and kill: it knows no test runner. */
import { resolve } from 'node:path';
import { systemClock } from '../../src/runtime/base/clock.ts';
import { openStore, type StoreOptions } from '../../src/runtime/store/sqlite/open-store.ts';
import type { FileIo } from '../../src/runtime/store/sqlite/wasm/io.ts';
import type { Store } from '../../src/runtime/store/store.ts';

/** The build of sql.js that checks what it does. */
export const sqlJs = {
  js: resolve('node_modules/sql.js/dist/sql-wasm-debug.js'),
  wasm: resolve('node_modules/sql.js/dist/sql-wasm-debug.wasm'),
};

export function open(
  file: string,
  io?: FileIo,
  now: () => number = Date.now,
  onFailure?: StoreOptions['onFailure'],
): Promise<Store> {
  const clock = { ...systemClock, now };
  return openStore({
    file,
    sqlJs,
    clock,
    ...(io === undefined ? {} : { io }),
    ...(onFailure === undefined ? {} : { onFailure }),
  });
}
