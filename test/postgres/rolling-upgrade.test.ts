/**
 * Nodes that are upgraded one by one, from a version that says other things to other nodes, while their sources are told
 * numbers: each number that was acknowledged is counted once, and in order.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkNodes } from '../../src/cli/doctor/database.ts';
import { checkDatabase } from '../../src/runtime/store/postgres/check-database.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { startPostgres } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/until.ts';
import { NodeCluster } from './support/node-cluster.ts';
import {
  counter,
  deploy,
  emitted,
  endpointPath,
  startNode,
  type TestNode,
} from './support/node.ts';
import { buildVersionBefore, versionBefore } from './support/version-before.ts';

const postgres = await startPostgres(atEndOfSuite());
const limit = { timeout: 180_000 };
/** Longer than a lease: a node that would be fenced for what it is was fenced by then. */
const mixedMs = 2500;
const seed = Date.now() % 2 ** 31;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Order = (active: number | undefined, left: ReadonlySet<number>) => number | undefined;

const orders: readonly (readonly [string, Order])[] = [
  ['the one that leads last', (active, left) => [...left].find((at) => at !== active)],
  [
    'the one that leads first',
    (active, left) => (active === undefined || !left.has(active) ? undefined : active),
  ],
];

test.each(orders)(
  `(41) an upgrade of nodes one by one loses nothing, %s (seed ${seed})`,
  limit,
  async (_, next) => {
    const before = await buildVersionBefore();
    const cluster = await NodeCluster.start(postgres, seededRandom(seed), [], before);
    await cluster.whileTold(async () => {
      await pause(1000);
      const left = new Set([0, 1, 2]);
      while (left.size > 0) {
        const [any = 0] = left;
        const at = next(await cluster.active(), left) ?? any;
        await cluster.upgrade(at, undefined);
        left.delete(at);
        await pause(mixedMs);
      }
      await cluster.isSharedOut();
    });
    const violations = await cluster.violations();
    const shown = [...violations.slice(0, 50), cluster.story()];
    expect(violations.length === 0 ? [] : shown).toEqual([]);
    expect(await cluster.left()).toEqual([]);
    expect(cluster.acknowledged).toBeGreaterThan(200);
    expect(await cluster.takeOvers()).toBeGreaterThan(0);
  },
);

test('(41) what a node owns comes to one of another version that begins to lead, which then passes on', async () => {
  const url = await postgres.newDatabase();
  const args = ['--lease', '4'];
  const before = await buildVersionBefore();
  const first = await startNode({ url, args, dist: before });
  const follower = await startNode({ url, args, dist: before });
  const sources = await Promise.all(
    [1, 2, 3, 4].map((i) => deploy(first, counter, `Counter ${i}`)),
  );
  const nodes = () =>
    postgres.query(
      `SELECT n.id, version, n.id = active AS leads,
         (SELECT count(*)::int FROM emitters WHERE node = n.id) AS owned
       FROM nodes n, cluster WHERE fenced_at IS NULL ORDER BY n.id`,
      url,
    );
  const isSo = (what: string, wanted: readonly unknown[]) =>
    until(what, async (seen) => {
      const rows = seen(
        (await nodes()).map(({ version, leads, owned }) => [version, leads, owned]),
      );
      return JSON.stringify(rows) === JSON.stringify(wanted);
    });
  await isSo('both to have their share', [
    [versionBefore, true, 2],
    [versionBefore, false, 2],
  ]);
  const upgraded = await startNode({ url, args });
  const now = (await nodes()).at(-1)?.['version'];
  const counts = new Map<string, number>();
  const tell = async (node: TestNode): Promise<void> => {
    for (const source of sources) {
      const answer = await fetch(new URL(endpointPath(source), node.url), { method: 'POST' });
      const count = (counts.get(source.id) ?? 0) + 1;
      counts.set(source.id, count);
      expect([answer.status, await answer.text()]).toEqual([201, JSON.stringify({ count })]);
    }
  };
  for (const node of [first, follower, upgraded]) await tell(node);
  await until('it to be told', async (seen) =>
    /of another version of Weir than the one that leads/.test(seen(await logOf(upgraded))),
  );
  await pause(mixedMs + 2000);
  await isSo('the new one to own nothing', [
    [versionBefore, true, 2],
    [versionBefore, false, 2],
    [now, false, 0],
  ]);

  // The one of the same version would lead as well.
  process.kill(follower.pid, 'SIGSTOP');
  const stopped = first.stop();
  await until('the new one to lead', async () =>
    (await nodes()).some((node) => node['version'] === now && node['leads'] === true),
  );
  process.kill(follower.pid, 'SIGCONT');
  await stopped;
  follower.expectErrors(/Another runtime has taken over/);
  const owning = (await nodes())[0]?.['id'];
  // Callers wait until what the other one owned is here.
  await tell(upgraded);
  await isSo('all to be at the one that leads', [
    [now, true, 4],
    [versionBefore, false, 0],
  ]);
  expect(await logOf(upgraded)).toMatch(
    /warn The node at \S+ is of another version of Weir: what it ran runs elsewhere/,
  );
  const joined = (await nodes())[1]?.['id'];
  expect(joined).not.toBe(owning);
  for (const node of [follower, upgraded]) await tell(node);
  await pause(mixedMs + 2000);
  expect((await nodes()).map(({ id }) => id)[1]).toBe(joined);
  expect(checkNodes(await checkDatabase(url))).toMatchObject({ state: 'warning' });

  await follower.stop();
  await startNode({ url, args, folder: follower.folder });
  await isSo('both to have their share again', [
    [now, true, 2],
    [now, false, 2],
  ]);
  await tell(upgraded);
  for (const source of sources) {
    const told = await emitted(upgraded, source);
    const numbers = told.map((event) => (event as { count: number }).count);
    expect(numbers).toEqual(Array.from({ length: counts.get(source.id) ?? 0 }, (__, i) => i + 1));
  }
}, 120_000);

function logOf({ folder }: TestNode): Promise<string> {
  return readFile(join(folder, 'data', 'logs', 'runtime.log'), 'utf8');
}
