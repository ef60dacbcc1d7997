/** Data stores in bulk (P14.12): files in and out over the command line, batches and searches over REST. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DataStoreRecord, Page, Result } from '../../src/protocol/catalogue.ts';
import { atEndOfTest } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCli, spawnCli } from '../support/cli.ts';
import { startRuntime, type TestRuntime, useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();
const records = async (store: string, query = '') =>
  (await runtime.rest('GET', `/v1/data_stores/${store}/records${query}`))
    .body as Page<DataStoreRecord>;
const cliOptions = () => ({ configFolder: join(runtime.folder, 'config') });
const piped = (stdin: string, ...args: string[]) =>
  runCli(['--data', join(runtime.folder, 'data'), ...args], { ...cliOptions(), stdin });

function linesOf(count: number, value: (n: number) => unknown = (n) => ({ n })): string {
  const line = (n: number) =>
    `${JSON.stringify({ key: `k-${String(n).padStart(7, '0')}`, value: value(n) })}\n`;
  return Array.from({ length: count }, (_, n) => line(n)).join('');
}

test('a file goes in and comes out as it was, TTLs included', async () => {
  const text =
    linesOf(2500) + '{"key":"short","value":"Grüße","ttl":3600}\n{"key":"","value":null}\n';
  const file = await runtime.file('in.jsonl', text);
  const run = await runtime.weir('data-stores', 'import', 'bulk', file);
  expect(run).toMatchObject({ code: 0, stdout: 'Wrote 2,502 records into bulk.\n' });
  const out = await runtime.weir('data-stores', 'export', 'bulk');
  const inOrder = (of: string) => of.trimEnd().split('\n').sort();
  expect(inOrder(out.stdout.replace(/"ttl":3[56]\d\d/, '"ttl":3600'))).toEqual(inOrder(text));
  const csv = await runtime.file(
    'again.csv',
    (await runtime.weir('data-stores', 'export', 'bulk', '--format', 'csv')).stdout,
  );
  await runtime.weir('data-stores', 'import', 'copy', csv);
  const copied = await runtime.weir('data-stores', 'export', 'copy');
  expect(copied.stdout.replace(/"ttl":3[56]\d\d/, '"ttl":3600')).toBe(
    out.stdout.replace(/"ttl":3[56]\d\d/, '"ttl":3600'),
  );
});

test('a file with bad lines writes nothing, and names them', async () => {
  const bad = linesOf(1200) + '{"key":"x"}\n{"key":"y","value":1,"ttl":-1}\n';
  const file = await runtime.file('bad.jsonl', bad);
  const run = await runtime.weir('data-stores', 'import', 'refused', file);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(`2 lines of ${file} cannot be imported. Nothing was written.`);
  expect(run.stderr).toMatch(/bad\.jsonl:1201: .*Line 1201 has no "value"/);
  expect(run.stderr).toMatch(/bad\.jsonl:1202: .*Line 1202 has the ttl -1\. Write/);
  expect((await runtime.rest('GET', '/v1/data_stores/refused/records')).status).toBe(404);
  // From a pipe whole batches are written before the bad line is seen, and that is said.
  const half = await piped(bad, 'data-stores', 'import', 'piped');
  expect(half.stderr).toContain('Line 1201 of standard input has no "value"');
  expect(half.stderr).toContain('1,000 records were written before');
  expect((await records('piped')).page_info.total_count).toBe(1000);
});

test('records that are there stay with --keep, and are replaced without', async () => {
  const put = async (text: string, ...flags: string[]) =>
    (await piped(text, 'data-stores', 'import', 'kept', '--json', ...flags)).json();
  expect(await put(linesOf(3))).toMatchObject({ written: 3, kept: 0 });
  expect(
    await put(
      linesOf(5, () => 'new'),
      '--keep',
    ),
  ).toMatchObject({ written: 2, kept: 3 });
  const one = '/v1/data_stores/kept/records/k-0000001';
  expect(await runtime.restData('GET', one)).toMatchObject({ value: { n: 1 } });
  expect(await put(linesOf(2, () => 'new'))).toMatchObject({ written: 2, kept: 0 });
  expect(await runtime.restData('GET', one)).toMatchObject({ value: 'new' });
});

test('Ctrl-C leaves whole batches and says how many records were written', async () => {
  const file = await runtime.file('long.jsonl', linesOf(60_000));
  const data = join(runtime.folder, 'data');
  const child = spawnCli(['--data', data, 'data-stores', 'import', 'cut', file], cliOptions());
  let said = '';
  child.stderr?.on('data', (text) => (said += String(text)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until('the first batch', async (seen) => {
    const { body } = seen(await runtime.rest('GET', '/v1/data_stores/cut/records?limit=1'));
    return 'page_info' in (body as object) && (body as Page<unknown>).page_info.total_count > 0;
  });
  child.kill('SIGINT');
  expect(await ended).toBe(1);
  const written = Number(/(\S+) records were written/.exec(said)?.[1]?.replaceAll(',', ''));
  expect(written % 1000).toBe(0);
  expect((await records('cut')).page_info.total_count).toBe(written);
});

test('a runtime that is killed in the middle keeps whole batches, and the import says how to go on', async () => {
  const folder = temporaryFolder();
  const options = { folder, atEnd: atEndOfTest };
  const first = await startRuntime(options);
  const file = await runtime.file('killed.jsonl', linesOf(150_000));
  const importing = first.weir('data-stores', 'import', 'killed', file);
  const counted = async (from: TestRuntime) => {
    const { body } = await from.rest('GET', '/v1/data_stores/killed/records?limit=1');
    return (body as Partial<Page<unknown>>).page_info?.total_count ?? 0;
  };
  await until('a few batches', async () => (await counted(first)) >= 3000);
  await first.kill();
  const run = await importing;
  expect(run.code).not.toBe(0);
  expect(run.stderr).toMatch(/[\d,]+ records were written before\. Import the whole file again/);
  const second = await startRuntime(options);
  const kept = await counted(second);
  expect(kept % 1000).toBe(0);
  expect(kept).toBeGreaterThanOrEqual(3000);
  const again = await second.weir('data-stores', 'import', 'killed', file, '--json', '--keep');
  expect(again.json()).toMatchObject({ written: 150_000 - kept, kept });
});

test('a pipe is read once, and a folder is named as one', async () => {
  const fifo = join(runtime.folder, 'records.fifo');
  execFileSync('mkfifo', [fifo]);
  const importing = runtime.weir('data-stores', 'import', 'fifo', fifo);
  await writeFile(fifo, linesOf(3));
  expect(await importing).toMatchObject({ code: 0, stdout: 'Wrote 3 records into fifo.\n' });
  const folder = await runtime.weir('data-stores', 'import', 'fifo', runtime.folder);
  expect(folder.stderr).toContain(`${runtime.folder} is a folder. Name a file.`);
  expect((await piped('', 'data-stores', 'import', '')).stderr).toContain('Name a data store.');
});

test('records are searched by prefix and text, page by page', async () => {
  const of = (key: string, value: unknown) => ({ key, value });
  await runtime.restData('POST', '/v1/data_stores', { name: 'found' });
  const answer = await runtime.restData<Result<'data_store_records.import'>>(
    'POST',
    '/v1/data_stores/found/import',
    {
      records: [
        ...Array.from({ length: 600 }, (_, n) => of(`order-${1000 + n}`, { total: n })),
        of('order-x', { customer: 'Ada "Byron"' }),
        of('Customer', 'ADA'),
        { ...of('gone', 'ada'), ttl: 1 },
      ],
    },
  );
  expect(answer).toEqual({ written: 603, kept: 0 });
  await until('its end', async () => (await records('found', '?prefix=gone')).data.length === 0);
  expect((await records('found', '?prefix=order-1&limit=1')).page_info.total_count).toBe(600);
  const ada = await records('found', '?q=ada');
  expect(ada.data.map(({ key }) => key)).toEqual(['Customer', 'order-x']);
  const quoted = await records('found', `?q=${encodeURIComponent('Ada "')}`);
  expect(quoted.data.map(({ key }) => key)).toEqual(['order-x']);
  const keys: string[] = [];
  let after = '';
  do {
    const page = await records('found', `?q=order-15&limit=7${after}`);
    expect(page.page_info.total_count).toBe(100);
    keys.push(...page.data.map(({ key }) => key));
    after =
      page.page_info.end_cursor === null
        ? ''
        : `&after=${encodeURIComponent(page.page_info.end_cursor)}`;
  } while (after !== '');
  expect(keys).toEqual(Array.from({ length: 100 }, (_, n) => `order-${1500 + n}`));
  const listed = await runtime.weir('data-stores', 'records', 'found', '--search', 'ada');
  expect(listed.stdout).toContain('order-x');
  const first = await runtime.weirJson<unknown[]>('data-stores', 'records', 'found', '-n', '3');
  expect(first).toHaveLength(3);
});

test('a call of an import writes all of its records or none', async () => {
  await runtime.restData('POST', '/v1/data_stores', { name: 'whole' });
  const refused = await runtime.rest('POST', '/v1/data_stores/whole/import', {
    records: [{ key: 'a', value: 1 }, { key: 'b' }],
  });
  expect(JSON.stringify(refused)).toContain('records.1.value is missing');
  expect((await records('whole')).page_info.total_count).toBe(0);
});

test('a large store needs no more memory than a small one', async () => {
  const file = await runtime.file(
    'large.jsonl',
    linesOf(100_000, (n) => 'x'.repeat(n % 200)),
  );
  await runtime.weir('data-stores', 'import', 'large', file);
  const out = await runtime.weir('data-stores', 'export', 'large');
  expect(out.stdout.length).toBeGreaterThan(100_000 * 30);
  expect((await records('large')).page_info.total_count).toBe(100_000);
  expect(residentMb(runtime.pid)).toBeLessThan(500);
});

function residentMb(pid: number): number {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
