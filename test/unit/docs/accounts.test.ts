/** The clauses of docs/accounts.md: each has its number in the title of a test in each file that is named. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/accounts.md'), 'utf8');

const rows = [...page.matchAll(/^\| (\d+) +\|[^|]+\| (.+?) +\|$/gm)].map(
  ([, number = '', files]) => ({
    clause: Number(number),
    files: [...(files ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

/** Titles of tests and of rows of their tables: `clause 3: …`, `clauses 1, 3 and 5: …`. */
function clausesOf(file: string): Set<number> {
  const text = readFileSync(join(root, 'test', `${file}.test.ts`), 'utf8');
  const titles = [...text.matchAll(/'clauses? ([\d, and]+):/g)];
  return new Set(titles.flatMap(([, list = '']) => (list.match(/\d+/g) ?? []).map(Number)));
}

test('the thirty clauses stand there in their order', () => {
  expect(rows.map(({ clause }) => clause)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
});

test.each(rows)('clause $clause is held where the page says', ({ clause, files }) => {
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !clausesOf(file).has(clause))).toEqual([]);
});
