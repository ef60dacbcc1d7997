import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/** An error of the runtime that nothing catches ends it, as what it knows may be wrong; but not in silence. */
test('an uncaught error of the runtime is in its log, with its stack, before the end', async () => {
  const folder = temporaryFolder();
  const preload = join(folder, 'fault.cjs');
  await writeFile(
    preload,
    `process.on('SIGUSR2', () => { setImmediate(function fault() { throw new TypeError('out of reach'); }); });`,
  );
  const runtime = await startRuntime({ folder, preload });
  process.kill(runtime.pid, 'SIGUSR2');
  const log = await until('the end', async () => {
    const text = await readFile(join(folder, 'data', 'logs', 'runtime.log'), 'utf8');
    return text.includes('out of reach') && text;
  });
  expect(log).toMatch(
    /^\S+ error The runtime ends, as nothing caught this error: TypeError: out of reach\n\s+at \S*fault/m,
  );
  runtime.expectErrors(/out of reach/);
  await until('the process to be gone', () => {
    try {
      return !process.kill(runtime.pid, 0);
    } catch {
      return true;
    }
  });
});
