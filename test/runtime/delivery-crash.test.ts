import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTarget } from './delivery-world.ts';

let folder: string;
let script: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-crash-'));
  script = join(folder, 'delivery-child.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'delivery-child.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Resolves when the process has ended. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

test('kill -9 at any moment: every event arrives, in order, and only what was in flight twice', async () => {
  const count = 400;
  const target = await startTarget();
  const run = () => {
    const child = spawn(
      process.execPath,
      [script, join(folder, 'weir.db'), target.url, String(count)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, said: (word: string) => output.includes(word) };
  };
  const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 2 });

  const kills = [3, 40, 41, 150, 300];
  for (const arrivals of kills) {
    const { child, said } = run();
    await until(() => expect(said('ready')).toBe(true));
    await until(() => expect(new Set(target.bodies()).size).toBeGreaterThanOrEqual(arrivals));
    child.kill('SIGKILL');
    await ended(child);
  }
  const last = run();
  await until(() => expect(last.said('done')).toBe(true));
  last.child.kill('SIGKILL');
  await ended(last.child);

  const firsts = [...new Set(target.bodies())].map(Number);
  expect(firsts).toEqual(Array.from({ length: count }, (_, i) => i));
  // What had arrived but was not yet on disk when the process died is sent again: a few each time.
  expect(target.arrivals.length - count).toBeLessThanOrEqual(kills.length * 50);
  await target.close();
});
