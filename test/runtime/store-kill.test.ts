import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import initSqlJs from 'sql.js';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { open } from '../support/open-store.ts';

/**
 * A process that writes to a store is killed with SIGKILL at random moments, checkpoints included.
 * What it acknowledged on stdout has to be there. `WEIR_KILLS=100 npm run test:runtime -- store-kill`
 * for the long run.
 */
const rounds = Number(process.env['WEIR_KILLS'] ?? 8);

const worker = join(temporaryFolder(atEndOfSuite()), 'worker.mjs');

beforeAll(async () => {
  await build({
    entryPoints: ['test/runtime/store-kill-worker.ts'],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});

/** Runs the worker until it has acknowledged so many, kills it, and returns the last it acknowledged. */
async function killAfter(file: string, first: number, count: number, mode = ''): Promise<number> {
  const args = [worker, file, String(first), mode];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > count) child.kill('SIGKILL');
    });
    child.on('close', (_code, signal) => {
      const lines = said.split('\n').slice(0, -1).map(Number);
      if (signal === 'SIGKILL') done(Math.max(...lines));
      else failed(new Error('The worker ended by itself.'));
    });
  });
}

interface Kept {
  readonly invocations: number;
  /** Number of the newest invocation whose events are there. */
  readonly last: number;
}

/** Opens what was left, checks that every invocation is there as a whole, and closes it again. */
async function examine(file: string): Promise<Kept> {
  const store = await open(file);
  const events = (await store.events.list('dc_1', { limit: 1_000_000 })).rows;
  const { db } = (await store.ownership.take('dc_1')).db;
  await store.close();
  const numbers = events.map((event) => event.id.split('-')[0]);
  const invocations = new Set(numbers).size;
  const last = Number(numbers[0] ?? 0);
  expect(events).toHaveLength(2 * invocations);
  expect(db?.['last'] ?? '0').toBe(String(last));

  const { Database } = await initSqlJs();
  const plain = new Database(fs.readFileSync(file));
  expect(plain.exec('PRAGMA integrity_check')[0]?.values).toEqual([['ok']]);
  plain.close();
  return { invocations, last };
}

test(
  `nothing acknowledged is lost over ${rounds} kills`,
  { timeout: 30_000 + rounds * 5000 },
  async () => {
    const file = join(temporaryFolder(), 'weir.db');
    let kept: Kept = { invocations: 0, last: 0 };
    for (let round = 0; round < rounds; round++) {
      const before = kept;
      const first = before.last + 1;
      const acknowledged = await killAfter(file, first, 50 + Math.floor(Math.random() * 3000));
      kept = await examine(file);
      // Numbers go up by one, so the newest one and the count tell of all.
      expect(kept.last).toBeGreaterThanOrEqual(acknowledged);
      expect(kept.invocations - before.invocations).toBe(kept.last - before.last);
    }
    expect(kept.invocations).toBeGreaterThan(rounds * 50);
  },
);

test('acknowledging too early loses events: the test above can fail', async () => {
  const file = join(temporaryFolder(), 'weir.db');
  const acknowledged = await killAfter(file, 1, 100, 'early');
  expect((await examine(file)).last).toBeLessThan(acknowledged);
});
