import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';

const folder = temporaryFolder(atEndOfSuite());
const script = join(folder, 'delivery-child.cjs');
beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'delivery-child.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
});

/** Resolves when the process has ended. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

test('kill -9 at any moment: every event arrives, in order, and only what was in flight twice', async () => {
  const count = 400;
  const target = await startReceiver();
  const run = () => {
    const child = spawn(
      process.execPath,
      [script, join(folder, 'weir.db'), `${target.url}/hook`, String(count)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, said: (word: string) => output.includes(word) };
  };
  const kills = [3, 40, 41, 150, 300];
  for (const arrivals of kills) {
    const { child, said } = run();
    await expect.poll(() => said('ready')).toBe(true);
    const distinct = () => new Set(target.bodies()).size;
    await expect.poll(distinct, { interval: 2 }).toBeGreaterThanOrEqual(arrivals);
    child.kill('SIGKILL');
    await ended(child);
  }
  const last = run();
  await expect.poll(() => last.said('done')).toBe(true);
  last.child.kill('SIGKILL');
  await ended(last.child);

  const firsts = [...new Set(target.bodies())].map(Number);
  expect(firsts).toEqual(Array.from({ length: count }, (_, i) => i));
  // What had arrived but was not yet on disk when the process died is sent again: a few each time.
  expect(target.received.length - count).toBeLessThanOrEqual(kills.length * 50);
});
