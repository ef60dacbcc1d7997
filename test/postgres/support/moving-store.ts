/** A store that is moved to PostgreSQL when it is opened again, and back when it is opened once more. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  moveFromDatabase,
  moveToDatabase,
  type MoveOptions,
} from '../../../src/runtime/store/backup/move.ts';
import { systemClock } from '../../../src/runtime/base/clock.ts';
import {
  MoveConnection,
  openPostgresStore,
} from '../../../src/runtime/store/postgres/open-store.ts';
import type { Store } from '../../../src/runtime/store/store.ts';
import type { OpenedStore } from '../../store-contract/rules.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { open, sqlJs } from '../../support/open-store.ts';
import type { TestPostgres } from '../../support/postgres.ts';

export function moveOptions(
  data: string,
  url: string,
  watch: Partial<Pick<MoveOptions, 'signal' | 'progress'>> = {},
): MoveOptions {
  return {
    data,
    sqlJs,
    connect: () => MoveConnection.open(url),
    // Stores of tests have no code.
    shareCode: () => Promise.resolve(),
    fetchCode: () => Promise.resolve(),
    signal: new AbortController().signal,
    progress: () => undefined,
    ...watch,
  };
}

/** What ends one without a clean end is an end as any other here: crashes are tested elsewhere. */
export async function movingStore(postgres: TestPostgres): Promise<OpenedStore> {
  const undo: (() => void | Promise<void>)[] = [];
  const data = temporaryFolder((remove) => void undo.push(remove));
  const file = join(data, 'weir.db');
  const openFile = (): Promise<Store> => open(file);
  let database: string | undefined;
  let store = await openFile();
  const reopen = async (): Promise<Store> => {
    await store.close();
    if (database === undefined) {
      database = await postgres.newDatabase();
      if (!existsSync(file)) throw new Error('The store is not where it was.');
      await moveToDatabase(moveOptions(data, database));
      store = await openPostgresStore({ url: database, clock: systemClock, version: 'test' });
    } else {
      await moveFromDatabase(moveOptions(data, database));
      database = undefined;
      store = await openFile();
    }
    return store;
  };
  return {
    get store() {
      return store;
    },
    reopen,
    crash: reopen,
    async end() {
      await store.close().catch(() => undefined);
      for (const one of undo.splice(0)) await one();
    },
  };
}
