import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/runtime/store/store.ts';
import { temporaryFolder } from './folder.ts';
import { open } from './open-store.ts';
import { source } from './records.ts';

interface TestStore {
  readonly store: Store;
  readonly file: string;
  /** Closes it and opens it again. */
  readonly reopen: () => Promise<Store>;
}

/** A new store that is closed with the test. */
export async function newStore(now: () => number = Date.now): Promise<TestStore> {
  const file = join(temporaryFolder(), 'weir.db');
  const store = await open(file, undefined, now);
  let latest = store;
  onTestFinished(() => latest.close());
  const reopen = async () => {
    await latest.close();
    latest = await open(file, undefined, now);
    return latest;
  };
  return { store, file, reopen };
}

/** A new store with one source, `dc_1`. */
export async function storeWithSource(now?: () => number): Promise<TestStore> {
  const made = await newStore(now);
  await made.store.sources.insert(source('dc_1'));
  return made;
}
