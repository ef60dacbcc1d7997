/** PostgreSQL with a synchronous standby that takes its place, below nodes that are asked all the time. */
import { expect, test } from 'vitest';
import { startReplicatedPostgres } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { NodeCluster } from './support/node-cluster.ts';

const seed = Date.now() % 2 ** 31;

test(
  `(45) a standby that is promoted has everything that was acknowledged, once and in order (seed ${seed})`,
  { timeout: 120_000 },
  async () => {
    const cluster = await NodeCluster.start(await startReplicatedPostgres(), seededRandom(seed));
    await cluster.run(0, ['failOver']);
    const violations = await cluster.violations();
    expect(violations.length === 0 ? [] : [...violations, cluster.story()]).toEqual([]);
    expect(cluster.acknowledged).toBeGreaterThan(50);
  },
);
