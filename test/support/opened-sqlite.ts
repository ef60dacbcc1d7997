/** The store of SQLite as the contract wants it: one that can be opened again and lose its power. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/runtime/store/store.ts';
import type { OpenedStore } from '../store-contract/rules.ts';
import { temporaryFolder } from './folder.ts';
import { open } from './open-store.ts';
import { PowerDisk, writeRemains } from './power-disk.ts';

const name = 'weir.db';

/**
 * A new store on a disk whose power can be cut.
 * @param empty a closed store with nothing in it: making one takes longer than most rules
 * @param barriers false for a disk that says it has written and has not
 */
export async function openedSqlite(empty: string, barriers = true): Promise<OpenedStore> {
  let disk = new PowerDisk(barriers);
  let file = join(temporaryFolder(), name);
  copyFileSync(empty, file);
  let store = await open(file, disk.io);
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      return openAgain();
    },
    async crash(random) {
      const remains = disk.cut(random);
      const folder = temporaryFolder();
      writeRemains(folder, remains);
      // What it does from now on, it does to a disk that nobody looks at.
      await closed(store);
      file = join(folder, name);
      disk = new PowerDisk(barriers);
      return openAgain();
    },
    end: () => closed(store),
  };

  async function openAgain(): Promise<Store> {
    store = await open(file, disk.io);
    return store;
  }
}

async function closed(store: Store): Promise<void> {
  await store.close().catch(() => undefined);
}
