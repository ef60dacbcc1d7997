/** The store of SQLite as the contract wants it: one that can be opened again and lose its power. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/runtime/store/store.ts';
import type { OpenedStore } from '../store-contract/rules.ts';
import type { AtEnd } from './at-end.ts';
import { temporaryFolder } from './folder.ts';
import { open } from './open-store.ts';
import { type Barriers, PowerDisk, writeRemains } from './power-disk.ts';

const name = 'weir.db';

/** A folder with a store that has nothing in it. Copying it is quicker than making one for each test. */
export async function emptySqlite(atEnd?: AtEnd): Promise<string> {
  const folder = temporaryFolder(atEnd);
  await (await open(join(folder, name))).close();
  return folder;
}

export interface OpenedSqlite extends OpenedStore {
  /** Where it is now. */
  readonly folder: string;
}

/**
 * Opens a copy of a store, on a disk whose power can be cut.
 * @param from the folder it is in
 */
export async function openedSqlite(
  from: string,
  barriers: Barriers = 'kept',
): Promise<OpenedSqlite> {
  const undo: (() => void | Promise<void>)[] = [];
  const newFolder = () => temporaryFolder((remove) => void undo.push(remove));
  let folder = newFolder();
  let disk = new PowerDisk(barriers);
  cpSync(from, folder, { recursive: true });
  let store = await open(join(folder, name), disk.io);
  return {
    get store() {
      return store;
    },
    get folder() {
      return folder;
    },
    async reopen() {
      await store.close();
      return openAgain();
    },
    async crash(random) {
      const remains = disk.cut(random);
      folder = newFolder();
      writeRemains(folder, remains);
      // What it does from now on, it does to a disk that nobody looks at.
      await closed(store);
      disk = new PowerDisk(barriers);
      return openAgain();
    },
    // At once, not with the test: a long run opens thousands.
    async end() {
      await closed(store);
      for (const remove of undo.splice(0)) await remove();
    },
  };

  async function openAgain(): Promise<Store> {
    store = await open(join(folder, name), disk.io);
    return store;
  }
}

async function closed(store: Store): Promise<void> {
  await store.close().catch(() => undefined);
}
