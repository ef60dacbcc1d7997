/** Records of files: lines of JSON and CSV, in pieces of any size, and what is said of those that are none. */
import { expect, test } from 'vitest';
import { CsvRows } from '../../../../src/cli/data-stores/csv-rows.ts';
import { type RecordFormat, recordsIn } from '../../../../src/cli/data-stores/read-records.ts';
import type { FileRecord } from '../../../../src/cli/data-stores/record.ts';
import { headerOf, lineOf } from '../../../../src/cli/data-stores/write-records.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  await Promise.resolve();
}

async function read(text: string | Buffer, format: RecordFormat, size = 3) {
  const found: [number, unknown][] = [];
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for await (const { line, read: one } of recordsIn(pieces(bytes, size), format)) {
    found.push([line, 'wrong' in one ? one.wrong : one]);
  }
  return found;
}

const unusual: FileRecord[] = [
  { key: '', value: null },
  { key: 'a,b;"c"\td', value: 'x' },
  { key: ' Grüße 🚰\r\nzwei ', value: { deep: [1, 'zwei\n', true] }, ttl: 31_536_000 },
  { key: '__proto__', value: '12', ttl: 1 },
  { key: 'number', value: 12 },
  { key: 'text', value: '' },
];

test.each(['jsonl', 'csv'] as const)(
  '%s: records come back as they were written',
  async (format) => {
    const text = headerOf(format) + unusual.map((one) => lineOf(one, format)).join('');
    for (const size of [1, 7, 10_000]) {
      const found = await read(text, format, size);
      expect(found.map(([, one]) => one)).toEqual(unusual);
    }
    expect((await read(`\uFEFF${text.trimEnd()}`, format)).map(([, one]) => one)).toEqual(unusual);
  },
);

test('lines without text are skipped, and the numbers of lines stay those of the file', async () => {
  const lines = '{"key":"a","value":1}\r\n\r\n  \n{"key":"b","value":2,"ttl":null}';
  expect(await read(lines, 'jsonl')).toEqual([
    [1, { key: 'a', value: 1 }],
    [4, { key: 'b', value: 2 }],
  ]);
  const csv = 'key,value\r\n"a\r\nb",1\r\n\r\nc,2';
  expect(await read(csv, 'csv')).toEqual([
    [2, { key: 'a\r\nb', value: 1 }],
    [5, { key: 'c', value: 2 }],
  ]);
});

test('cells of spreadsheets are texts where they are not JSON, and long numbers keep their digits', async () => {
  const rows =
    'ttl;Value;key\n;hello;a\n60;007;b\n;12345678901234567890;c\n;{"n":1};d\n;1.50;e\n;;f';
  expect((await read(rows, 'csv')).map(([, one]) => one)).toEqual([
    { key: 'a', value: 'hello' },
    { key: 'b', value: '007', ttl: 60 },
    { key: 'c', value: '12345678901234567890' },
    { key: 'd', value: { n: 1 } },
    { key: 'e', value: '1.50' },
    { key: 'f', value: '' },
  ]);
});

test.each([
  ['{"key":"a"', /^is not JSON\. Write/],
  ['["a", 1]', /^is not a record\. Write/],
  ['null', /^is not a record\. Write/],
  ['{"value":1}', /^has no "key" that is a text\. Add/],
  ['{"key":7,"value":1}', /^has no "key" that is a text\. Add/],
  ['{"key":"a"}', /^has no "value"\. Add/],
  ['{"key":"a","value":1,"tll":2}', /^has the field "tll"\. A record has/],
  ['{"key":"a","value":1,"ttl":0}', /^has the ttl 0\. Write a whole number of seconds from 1 to/],
  ['{"key":"a","value":1,"ttl":1.5}', /^has the ttl 1\.5\. Write/],
  ['{"key":"a","value":1,"ttl":"60"}', /^has the ttl "60"\. Write/],
  ['{"key":"a","value":1,"ttl":31536001}', /^has the ttl 31536001\. Write/],
])('%s is refused with its line and what to change', async (line, wrong) => {
  const good = '{"key":"a","value":1}';
  expect(await read(`${good}\n${line}\n${good}`, 'jsonl')).toEqual([
    [1, { key: 'a', value: 1 }],
    [2, expect.stringMatching(wrong) as string],
    [3, { key: 'a', value: 1 }],
  ]);
});

test.each([
  ['name,value\na,1', 1, /^does not name the columns\. Begin with the line key,value,ttl/],
  ['key,value,value\na,1,2', 1, /^does not name the columns/],
  ['key,value\na,1,2\nb,2', 2, /^has 3 columns, and the first line has 2\. Quote/],
  ['key,value,ttl\na,1,soon\n', 2, /^has the ttl "soon"\. Write/],
  ['key,value\na,"1', 2, /^has a quotation mark that is never closed\. Write/],
  ['key,value\na,1\n"b"x,2', 3, /^has text behind a closing quotation mark\. Write/],
])('CSV %j is refused with its line and what to change', async (csv, line, wrong) => {
  const found = await read(csv, 'csv');
  const bad = found.filter(([, one]) => typeof one === 'string');
  expect(bad).toEqual([[line, expect.stringMatching(wrong) as string]]);
});

test('text that is not UTF-8 is refused, also where it ends within a character', async () => {
  const good = '{"key":"a","value":1}\n';
  for (const bad of [Buffer.from([0xff, 0xfe, 0x7b, 0]), Buffer.from([0xe2, 0x82])]) {
    const found = await read(Buffer.concat([Buffer.from(good), bad]), 'jsonl');
    expect(found.at(-1)).toEqual([expect.any(Number), expect.stringMatching(/not UTF-8\. Save/)]);
  }
});

test('a line that does not end is refused before it fills the memory', async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"key":"a","value":"');
    for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024, 'x'));
  }
  for (const format of ['jsonl', 'csv'] as const) {
    const found = [];
    for await (const one of recordsIn(endless(), format)) found.push(one);
    expect(found).toMatchObject([
      { line: 1, read: { wrong: expect.stringContaining('is longer than 8 MB') as string } },
    ]);
  }
  const rows = new CsvRows(10).push(`key,value\n${'x'.repeat(20)}`);
  expect(rows).toContainEqual({ line: 2, wrong: 'is too long' });
});
