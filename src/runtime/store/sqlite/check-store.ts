import { resolve } from 'node:path';
import { storeFailure } from './failure.ts';
import { judge, look, type StoreState } from './preflight.ts';
import { Connection } from './wasm/connection.ts';
import { HostFiles } from './wasm/host-files.ts';
import { diskIo } from './wasm/io.ts';
import { loadSqlite, type SqlJsFiles } from './wasm/sqlite.ts';

/** Looks through a store that no runtime has open, and changes nothing. */
export interface StoreCheck {
  readonly state: StoreState;
  /** What SQLite found damaged, a sentence each; a live one is looked through when it is recovered. */
  readonly problems: readonly string[];
}

/** @throws WeirError('store_failed') for a file that would not be opened, with what to do. */
export async function checkStore(file: string, sqlJs: SqlJsFiles): Promise<StoreCheck> {
  const path = resolve(file);
  const files = new HostFiles(diskIo);
  try {
    const state = judge(path, look(files.io, path));
    if (state !== 'clean') return { state, problems: [] };
    const name = '/check.db';
    files.map(name, path, false);
    const db = new Connection(await loadSqlite(sqlJs, files), name, (error) =>
      storeFailure(path, error, files.lastError),
    );
    try {
      const answers = db.prepare('PRAGMA quick_check').all((row) => row.text('quick_check'));
      return { state, problems: answers.filter((answer) => answer !== 'ok') };
    } finally {
      db.close();
    }
  } catch (error) {
    throw storeFailure(path, error, files.lastError);
  } finally {
    files.abandon();
  }
}
