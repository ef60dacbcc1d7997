/** The server that the tests of this layer share: that it is a real one, and dies and comes back as one. */
import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';

test('a server of 14 or newer starts, and databases are apart', async () => {
  const postgres = await startPostgres();
  const [one, other] = [await postgres.newDatabase(), await postgres.newDatabase()];
  const [row] = await postgres.query('SHOW server_version_num');
  expect(Number(row?.['server_version_num'])).toBeGreaterThanOrEqual(140_000);
  await postgres.query('CREATE TABLE mine (a int)', one);
  await expect(postgres.query('SELECT * FROM mine', other)).rejects.toMatchObject({
    code: '42P01',
  });
});

test('what it had committed is there after a kill -9', async () => {
  const postgres = await startPostgres();
  await postgres.query('CREATE TABLE kept (a int)');
  await postgres.query('INSERT INTO kept VALUES (7)');
  await postgres.kill();
  await expect(postgres.query('SELECT * FROM kept')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
  await postgres.start();
  expect(await postgres.query('SELECT * FROM kept')).toEqual([{ a: 7 }]);
});
