import type { CodeTable } from '../../code.ts';
import { text } from '../fields.ts';
import type { Row } from '../row-table.ts';

export type Ask = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export function createCode(ask: Ask): CodeTable {
  const hashesOf = async (sql: string): Promise<string[]> =>
    (await ask(sql)).map((row) => text(row, 'hash'));
  return {
    async put(hash, files) {
      await ask('INSERT INTO code (hash, files) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        hash,
        Buffer.from(files),
      ]);
    },
    missing: () =>
      hashesOf('SELECT DISTINCT hash FROM components WHERE hash NOT IN (SELECT hash FROM code)'),
    hashes: () => hashesOf('SELECT hash FROM code'),
    async get(hash) {
      const [row] = await ask('SELECT files FROM code WHERE hash = $1', [hash]);
      return row?.['files'] as Buffer | undefined;
    },
    async prune() {
      await ask('DELETE FROM code WHERE hash NOT IN (SELECT hash FROM components)');
    },
  };
}
