import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../../../../../src/runtime/store/sqlite/migrations.ts';
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
