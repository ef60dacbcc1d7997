import { appendFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { checkLogs, expectErrors, watchLog } from '../../support/runtime-log.ts';

/** A data folder whose log is looked at, and how its runtime writes into it. */
async function watched() {
  const data = temporaryFolder();
  const file = join(data, 'logs', 'runtime.log');
  await mkdir(join(data, 'logs'));
  watchLog(data);
  const write = (...lines: readonly string[]) =>
    appendFile(file, lines.map((line) => `2026-01-01T00:00:00.000Z ${line}\n`).join(''));
  return { data, file, write };
}

test('an error in the log fails, once; what is less does not', async () => {
  const { write } = await watched();
  await write('info Ready', 'warn Slow', 'error It broke', 'info Done');
  expect(checkLogs).toThrow(/^The runtime logged an error: \S+ error It broke\n$/);
  expect(checkLogs).not.toThrow();
  await write('error It broke again');
  expect(checkLogs).toThrow('It broke again');
});

test('an error that is expected has to come, and no other', async () => {
  const { data, write } = await watched();
  expectErrors(data, /broke/);
  expect(checkLogs).toThrow('The runtime logged no error like /broke/');
  expectErrors(data, /broke/);
  await write('error It broke');
  expect(checkLogs).not.toThrow();
});

test('errors are looked for behind a start that moved the log out of its way', async () => {
  const { file, write } = await watched();
  await write('error One');
  expect(checkLogs).toThrow('One');
  await write('error Two');
  await rename(file, `${file}.1`);
  await write('error Three');
  expect(checkLogs).toThrow(/Two[^]*Three/);
});

test('of many the first are told, and none of their lines is taken for one of a stack', async () => {
  const { write } = await watched();
  await write(
    ...Array.from({ length: 12 }, (_, i) => `error E${i}\n    at run (/dist/runtime.js:1:1)`),
  );
  expect(checkLogs).toThrow(/E9\n {4}\| at run[^]*… and 2 more/);
});
