/**
 * Real nodes that are killed, stopped and cut off while their sources are told numbers: each number that was acknowledged is counted
 * once, and in order. And the same with the fence switched off, which has to be noticed.
 *
 * `WEIR_CHAOS_MINUTES=10 WEIR_CHAOS_SEED=7 npm run test:postgres -- node-chaos` for the long run.
 */
import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { NodeCluster } from './support/node-cluster.ts';
import { withoutFence } from './support/store-cluster.ts';

const minutes = Number(process.env['WEIR_CHAOS_MINUTES'] ?? 1);
const seed = Number(process.env['WEIR_CHAOS_SEED'] ?? Date.now() % 2 ** 31);
const limit = { timeout: (minutes + 3) * 60_000 };

test(
  `(1-6, 11-13, 15-20, 22, 23, 25, 26, 46) nothing that a node has acknowledged is lost, doubled or out of order (seed ${seed})`,
  limit,
  async () => {
    const cluster = await NodeCluster.start(await startPostgres(), seededRandom(seed));
    const faults = [
      'kill',
      'replaced',
      'hole',
      'stop',
      'release',
      'cut',
      'doze',
      'postgres',
    ] as const;
    await cluster.run(minutes * 60_000, faults);
    const violations = await cluster.violations();
    // With what was done to them, for a message.
    const shown = [`${violations.length} in all`, ...violations.slice(0, 50), cluster.story()];
    expect(violations.length === 0 ? [] : shown).toEqual([]);
    expect(await cluster.left()).toEqual([]);
    // Else nothing was tried.
    expect(cluster.acknowledged).toBeGreaterThan(50);
    expect(await cluster.takeOvers()).toBeGreaterThan(0);
  },
);

test('(7) with the fence switched off it is noticed', limit, async () => {
  const cluster = await NodeCluster.start(await startPostgres(), seededRandom(seed), withoutFence);
  await cluster.run(0, ['replaced'], 1000);
  expect((await cluster.violations()).length).toBeGreaterThan(0);
});
