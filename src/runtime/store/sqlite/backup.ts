/**
 * A copy of the store that carries files beside its rows, in a table of its own: it stays an ordinary SQLite
 * file, and a data folder can be made of it alone.
 */
import { copyFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { storeFailure } from './failure.ts';
import { refuseDamaged, tableExists } from './inspect-database.ts';
import { judge, look } from './preflight.ts';
import { dropEventText } from './search/event-text.ts';
import { Connection } from './wasm/connection.ts';
import { HostFiles } from './wasm/host-files.ts';
import { diskIo, syncFolder } from './wasm/io.ts';
import { loadSqlite, type SqlJsFiles } from './wasm/sqlite.ts';

/** A file of the data folder, or a link in it. */
export interface BackupFile {
  /** Below the data folder, with `/` between its parts. */
  readonly path: string;
  /** Its rights, as `stat` has them. */
  readonly mode: number;
  readonly content: Uint8Array | { readonly link: string };
}

const table = 'backup_files';

/**
 * Adds files to a copy that `copyTo` has written.
 * @returns how many bytes the copy has with them
 */
export async function addFiles(
  copy: string,
  files: AsyncIterable<BackupFile>,
  sqlJs: SqlJsFiles,
): Promise<number> {
  await withDatabase(copy, sqlJs, async (db) => {
    db.run('BEGIN');
    // The index is made again from the events; other SQLite programs consider an index without its texts damaged.
    db.run(dropEventText);
    db.run('DELETE FROM indexed_events');
    db.run(
      `CREATE TABLE ${table} (path TEXT PRIMARY KEY, mode INTEGER NOT NULL, link TEXT, data BLOB)`,
    );
    for await (const { path, mode, content } of files) {
      const [link, data] = content instanceof Uint8Array ? [null, content] : [content.link, null];
      db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`).run(path, mode, link, data);
    }
    db.run('COMMIT');
  });
  return diskIo.statSync(copy).size;
}

/**
 * Makes a store of a copy, whole or not at all.
 * @param backup stays as it is
 * @param store must not exist
 * @param write is given every file the copy carries, before the store stands
 * @throws WeirError('store_failed') for what is no copy of a store, or is damaged
 */
export async function restoreStore(
  backup: string,
  store: string,
  sqlJs: SqlJsFiles,
  write: (file: BackupFile) => Promise<void>,
): Promise<void> {
  const from = resolve(backup);
  if (judge(from, look(diskIo, from)) !== 'clean') {
    throw new WeirError(
      'store_failed',
      `${from} is not a copy of a store: give a file that "weir db copy FILE" wrote.`,
    );
  }
  const unfinished = `${store}.new`;
  try {
    copyFileSync(from, unfinished);
    await withDatabase(unfinished, sqlJs, async (db) => {
      refuseDamaged(db, from);
      if (!tableExists(db, table)) return;
      for (const path of db.prepare(`SELECT path FROM ${table}`).all((row) => row.text('path'))) {
        await write(fileAt(db, path));
      }
      db.run(`DROP TABLE ${table}`);
    });
    diskIo.renameSync(unfinished, store);
    syncFolder(diskIo, dirname(store));
  } finally {
    diskIo.rmSync(unfinished, { force: true });
  }
}

function fileAt(db: Connection, path: string): BackupFile {
  const file = db
    .prepare(`SELECT mode, link, data FROM ${table} WHERE path = ?`)
    .get((row): BackupFile => {
      const link = row.textOrNull('link');
      const content = link === null ? row.blob('data').slice() : { link };
      return { path, mode: row.number('mode'), content };
    }, path);
  if (file === undefined) throw new Error(`The copy has lost ${path}.`);
  return file;
}

/** Opens an ordinary file that nobody else has open. */
export async function withDatabase<T>(
  path: string,
  sqlJs: SqlJsFiles,
  work: (db: Connection) => Promise<T>,
): Promise<T> {
  const files = new HostFiles(diskIo);
  const name = '/backup.db';
  files.map(name, path, false);
  try {
    const db = new Connection(await loadSqlite(sqlJs, files), name, (error) =>
      storeFailure(path, error, files.lastError),
    );
    const result = await work(db);
    db.close();
    return result;
  } catch (error) {
    throw storeFailure(path, error, files.lastError);
  } finally {
    files.abandon();
  }
}
