import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../../../src/runtime/store/sqlite/open-store.ts';
import type { FileIo } from '../../../../src/runtime/store/sqlite/wasm/io.ts';
import type { Store } from '../../../../src/runtime/store/store.ts';
import { source } from './records.ts';

export const sqlJs = {
  js: resolve('node_modules/sql.js/dist/sql-wasm-debug.js'),
  wasm: resolve('node_modules/sql.js/dist/sql-wasm-debug.wasm'),
};

/** A folder of its own, removed with the test. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'weir-store-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function open(file: string, io?: FileIo): Promise<Store> {
  return openStore({ file, sqlJs, now: Date.now, ...(io === undefined ? {} : { io }) });
}

interface World {
  readonly store: Store;
  readonly file: string;
  /** Closes it and opens it again. */
  readonly reopen: () => Promise<Store>;
}

/** A new store that is closed with the test. */
export async function newStore(): Promise<World> {
  const file = join(tempFolder(), 'weir.db');
  const store = await open(file);
  let latest = store;
  onTestFinished(() => latest.close());
  const reopen = async () => {
    await latest.close();
    latest = await open(file);
    return latest;
  };
  return { store, file, reopen };
}

/** A new store with one source, `dc_1`. */
export async function storeWithSource(): Promise<World> {
  const world = await newStore();
  await world.store.sources.insert(source('dc_1'));
  return world;
}
