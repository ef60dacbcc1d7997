import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSchema, migrate } from '../../../../../src/runtime/store/sqlite/migrations.ts';
import { newSchemaVersion } from '../../../../../src/runtime/store/sqlite/new-schema.ts';
import { Connection } from '../../../../../src/runtime/store/sqlite/wasm/connection.ts';
import { HostFiles } from '../../../../../src/runtime/store/sqlite/wasm/host-files.ts';
import { diskIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';
import { loadSqlite } from '../../../../../src/runtime/store/sqlite/wasm/sqlite.ts';
import {
  columnText,
  type DescribedTable,
  describedTables,
} from '../../../../support/described-tables.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { sqlJs } from '../../../../support/open-store.ts';

test('the descriptors of tables are what the migrations of SQLite make', async () => {
  const files = new HostFiles(diskIo);
  const sqlite = await loadSqlite(sqlJs, files);
  files.map('/new.db', join(temporaryFolder(), 'weir.db'), false);
  const db = new Connection(sqlite, '/new.db', (error) => error);
  migrate(db);

  const made: Record<string, DescribedTable> = {};
  const names = db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table'
       AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE 'event!_text%' ESCAPE '!'`,
    )
    .all((row) => row.text('name'));
  for (const name of names) {
    const columns = db.prepare(`PRAGMA table_info(${name})`).all((row) => ({
      name: row.text('name'),
      type: row.text('type'),
      isNullable: !row.flag('notnull') && row.number('pk') === 0,
      place: row.number('pk'),
    }));
    made[name] = {
      columns: Object.fromEntries(
        columns.map((one) => [one.name, columnText(one.type, one.isNullable)]),
      ),
      key: columns
        .filter(({ place }) => place > 0)
        .toSorted((one, other) => one.place - other.place)
        .map((one) => one.name),
    };
  }
  db.close();

  expect(made).toEqual(describedTables('sqlite'));
});

/** What SQLite keeps of its tables, and the rows that each has from the beginning; that of the search has rows in tables of its own. */
function contents(db: Connection) {
  const tables = db
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name')
    .all((row) => ({
      type: row.text('type'),
      name: row.text('name'),
      of: row.text('tbl_name'),
      sql: row.value('sql'),
    }));
  const named = tables.filter(({ type, name }) => type === 'table' && name !== 'event_text');
  const rows = named.map(({ name }) => {
    const columns = db.prepare(`PRAGMA table_info(${name})`).all((row) => row.text('name'));
    const all = columns.map((column) => `quote(${column})`).join(` || ',' || `);
    return [name, db.prepare(`SELECT ${all} AS r FROM ${name}`).all((row) => row.text('r'))];
  });
  return {
    version: db.pragma('user_version'),
    application: db.pragma('application_id'),
    tables,
    rows,
  };
}

test('a store that is made at once is what the steps make', async () => {
  const files = new HostFiles(diskIo);
  const sqlite = await loadSqlite(sqlJs, files);
  const folder = temporaryFolder();
  const made = (name: string, make: (db: Connection) => void) => {
    files.map(`/${name}.db`, join(folder, name), false);
    const db = new Connection(sqlite, `/${name}.db`, (error) => error);
    make(db);
    const found = contents(db);
    db.close();
    return found;
  };
  const byStep = made('steps', (db) => migrate(db));
  expect(made('at-once', createSchema)).toEqual(byStep);
  // What is added later is done step by step.
  expect(newSchemaVersion).toBeLessThanOrEqual(Number(byStep.version));
});
