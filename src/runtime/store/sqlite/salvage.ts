import { copyFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { storeFailure } from './failure.ts';
import { tableExists } from './inspect-database.ts';
import { createFile } from './live-file.ts';
import { latestVersion, migrate, migrationsTo } from './migrations.ts';
import { look } from './preflight.ts';
import { Connection } from './wasm/connection.ts';
import { liveSuffixes } from './wasm/guard.ts';
import { HostFiles } from './wasm/host-files.ts';
import { diskIo } from './wasm/io.ts';
import type { Row } from './wasm/row.ts';
import { resultCode, SqliteError } from './wasm/result-code.ts';
import { loadSqlite, type SqlJsFiles } from './wasm/sqlite.ts';

export interface Salvaged {
  /** The new store. */
  readonly file: string;
  /** Rows that could be read. */
  readonly rows: number;
  /** Tables of which a part could not. */
  readonly damaged: readonly string[];
}

/**
 * Writes what can be read of a damaged store into a new one. The damaged one is only copied: SQLite
 * works on the copy, as it may want to recover.
 * @throws WeirError('conflict') when there is a file already, 'store_failed' when nothing can be read.
 */
export async function salvageStore(from: string, to: string, sqlJs: SqlJsFiles): Promise<Salvaged> {
  const [damaged, file] = [resolve(from), resolve(to)];
  if (existsSync(file))
    throw new WeirError('conflict', `${file} exists already: choose another name.`);
  const files = new HostFiles(diskIo);
  const { copies, schemaVersion } = copy(files, damaged, `${file}.damaged`);
  try {
    files.map('/damaged.db', `${file}.damaged`, true);
    const sqlite = await loadSqlite(sqlJs, files);
    const old = new Connection(sqlite, '/damaged.db', (error) => error);
    // Before the first read: this build has no shared memory for the index of a WAL.
    old.pragma('locking_mode', 'EXCLUSIVE');
    // With it SQLite reads a file that was cut short.
    old.pragma('writable_schema', 1);
    let found = { rows: 0, damaged: [] as readonly string[] };
    createFile(sqlite, file, (db) => {
      migrate(db, migrationsTo(schemaVersion));
      const { tables, lost } = tablesOf(old, db);
      if (tables.length === 0)
        throw nothingLeft(damaged, 'not even the names of its tables are left');
      db.transaction(() => {
        const { rows, damaged: cut } = copyTables(old, db, tables);
        found = { rows, damaged: [...lost, ...cut] };
      });
      migrate(db);
    });
    return { file, ...found };
  } catch (error) {
    throw storeFailure(isDamage(error) ? damaged : file, error, files.lastError);
  } finally {
    files.abandon();
    for (const path of [...copies, `${file}.new`]) files.io.rmSync(path, { force: true });
  }
}

/** Copies the store and the log that a crash left beside it. @returns what was made, and of which schema it is */
function copy(
  files: HostFiles,
  from: string,
  to: string,
): { readonly copies: readonly string[]; readonly schemaVersion: number } {
  const { header } = look(files.io, from);
  if (header === undefined) {
    throw nothingLeft(from, 'it is not an SQLite database any more');
  }
  const made: string[] = [];
  for (const suffix of ['', liveSuffixes['-wal']]) {
    if (!existsSync(from + suffix)) continue;
    copyFileSync(from + suffix, to + suffix);
    made.push(to + suffix);
  }
  // A store of a newer Weir, or one with an unreadable version: the parts that both schemas have are copied.
  const { userVersion } = header;
  const isKnown = userVersion > 0 && userVersion <= latestVersion;
  return { copies: made, schemaVersion: isKnown ? userVersion : latestVersion };
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that tell its rows apart. */
  readonly key: readonly string[];
}

function nothingLeft(file: string, why: string): WeirError {
  return new WeirError('store_failed', `Nothing can be saved of ${file}: ${why}.`);
}

function copyTables(
  old: Connection,
  db: Connection,
  tables: readonly Table[],
): Omit<Salvaged, 'file'> {
  const damaged: string[] = [];
  let rows = 0;
  for (const table of tables) {
    const copied = copyTable(old, db, table);
    rows += copied.rows;
    if (!copied.whole) damaged.push(table.name);
  }
  // A source is an emitter of the same row.
  if (tableExists(db, 'emitters')) {
    db.run('INSERT OR IGNORE INTO emitters (row, id) SELECT row, id FROM sources');
  }
  // The index of words is made again.
  db.run(rememberedAsIndexed[tableExists(db, 'marks') ? 'before schema 5' : 'now']);
  return { rows, damaged };
}

/** How a store records that words are in the index. */
const rememberedAsIndexed = {
  'before schema 5': `DELETE FROM marks WHERE name LIKE 'event_text%'`,
  now: 'DELETE FROM indexed_events',
};

/**
 * Tables that both stores have; columns that only one has are left out.
 * @returns also the names of tables that the damaged store has lost
 */
function tablesOf(
  old: Connection,
  db: Connection,
): { readonly tables: readonly Table[]; readonly lost: readonly string[] } {
  const columnsIn = (one: Connection, table: string) =>
    one
      .prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
      .all((row) => ({ name: row.text('name'), pk: row.number('pk') }), table);
  const there = namesIn(old);
  const wanted = namesIn(db).names;
  const tables = wanted
    .filter((name) => there.names.includes(name))
    .map((name) => {
      const known = new Set(columnsIn(old, name).map((column) => column.name));
      const columns = columnsIn(db, name).filter((column) => known.has(column.name));
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      const nameOf = (column: { readonly name: string }) => column.name;
      return { name, columns: columns.map(nameOf), key: key.map(nameOf) };
    });
  const lost = there.whole ? [] : wanted.filter((name) => !there.names.includes(name));
  return { tables, lost };
}

/** The tables up to a damaged place: the names fill several pages, and SQLite knows those before it. */
function namesIn(db: Connection): { readonly names: readonly string[]; readonly whole: boolean } {
  const names: string[] = [];
  const read = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'
    AND name NOT LIKE 'event_text%' AND name NOT LIKE 'sqlite%'`);
  try {
    for (const row of read.each()) names.push(row.text('name'));
    return { names, whole: true };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { names, whole: false };
  }
}

/** From the first row to a damaged place, and if there is one, from the last row back to it. */
function copyTable(
  old: Connection,
  db: Connection,
  { name, columns, key }: Table,
): { readonly rows: number; readonly whole: boolean } {
  const list = columns.join(', ');
  const insert = db.prepare(
    `INSERT OR IGNORE INTO ${name} (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let rows = 0;
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((column) => `${column} ${direction}`).join(', ');
    try {
      const read = old.prepare(`SELECT ${list} FROM ${name} NOT INDEXED ORDER BY ${order}`);
      for (const row of read.each()) {
        insert.run(...columns.map((column) => storedIn(row, column)));
        rows += db.changes;
      }
      if (direction === 'ASC') return { rows, whole: true };
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return { rows, whole: false };
}

function storedIn(row: Row, column: string): string | number | Uint8Array | null {
  return row.value(column) ?? (row.isNull(column) ? null : row.blob(column));
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof SqliteError)) return false;
  return error.code === resultCode.corrupt || error.code === resultCode.notADatabase;
}
