import { Client } from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../src/runtime/store/postgres/schema.ts';
import { columnText, type DescribedTable, describedTables } from '../support/described-tables.ts';
import { startPostgres } from '../support/postgres.ts';

test('the descriptors of tables are what the migrations of PostgreSQL make', async () => {
  const postgres = await startPostgres();
  const client = new Client({ connectionString: await postgres.newDatabase() });
  await client.connect();
  await migrate(client);
  const { rows: columns } = await client.query<Record<string, string>>(
    `SELECT table_name, column_name, data_type, is_nullable
     FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const { rows: keys } = await client.query<Record<string, string>>(
    `SELECT k.table_name, k.column_name FROM information_schema.key_column_usage k
     JOIN information_schema.table_constraints c USING (constraint_schema, constraint_name)
     WHERE k.table_schema = 'public' AND c.constraint_type = 'PRIMARY KEY'
     ORDER BY k.table_name, k.ordinal_position`,
  );
  await client.end();

  const made: Record<string, DescribedTable> = {};
  for (const name of new Set(columns.map((row) => row['table_name'] ?? ''))) {
    const own = columns.filter((row) => row['table_name'] === name);
    made[name] = {
      columns: Object.fromEntries(
        own.map((row) => [
          row['column_name'],
          columnText(row['data_type'] ?? '', row['is_nullable'] === 'YES'),
        ]),
      ),
      key: keys.filter((row) => row['table_name'] === name).map((row) => row['column_name'] ?? ''),
    };
  }
  expect(made).toEqual(describedTables('postgres'));
});
