/**
 * Several nodes on one PostgreSQL, with a network and a server that fail at random: what was acknowledged is there, once and
 * in order. And the same with the fence switched off, which has to be noticed.
 *
 * `WEIR_CHAOS_MINUTES=10 WEIR_CHAOS_SEED=7 npm run test:postgres -- store-chaos` for the long run.
 */
import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { StoreCluster, withoutFence } from './support/store-cluster.ts';

const minutes = Number(process.env['WEIR_CHAOS_MINUTES'] ?? 0.4);
const seed = Number(process.env['WEIR_CHAOS_SEED'] ?? Date.now() % 2 ** 31);
const limit = { timeout: (2 * minutes + 2) * 60_000 };

test(
  `nothing that was acknowledged is lost, doubled or out of order (seed ${seed})`,
  limit,
  async () => {
    const cluster = await StoreCluster.start(await startPostgres(), seededRandom(seed), []);
    await cluster.run(minutes * 60_000, [
      'cut',
      'hold',
      'holdUp',
      'holdDown',
      'holdLong',
      'delay',
      'kill',
    ]);
    const violations = await cluster.violations();
    // With what was done to them, for a message.
    expect(violations.length === 0 ? [] : [...violations, cluster.story()]).toEqual([]);
    // Else nothing was tried.
    expect(cluster.committed).toBeGreaterThan(100);
    expect(cluster.takeovers).toBeGreaterThan(0);
  },
);

test('with the fence switched off it is noticed', limit, async () => {
  const cluster = await StoreCluster.start(await startPostgres(), seededRandom(seed), withoutFence);
  await cluster.run(minutes * 60_000, ['holdLong']);
  expect((await cluster.violations()).length).toBeGreaterThan(0);
});
