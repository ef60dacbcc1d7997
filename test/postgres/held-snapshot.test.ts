/**
 * A transaction that stays open keeps PostgreSQL from cleaning up whatever is deleted or replaced meanwhile. Runs only put rows in,
 * so taking in and ending them is about as quick with it as without.
 *
 * `WEIR_SNAPSHOT_SECONDS=600 npm run test:postgres -- held-snapshot` for the long run.
 */
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/runtime/base/clock.ts';
import { openPostgresStore } from '../../src/runtime/store/postgres/open-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { event, fenceOf, source } from '../support/records.ts';

const seconds = Number(process.env['WEIR_SNAPSHOT_SECONDS'] ?? 30);
const writers = 16;

test(
  `(47) a snapshot that is held for ${seconds} s does not slow down what is taken in`,
  { timeout: (2 * seconds + 60) * 1000 },
  async () => {
    const postgres = await startPostgres();
    const url = await postgres.newDatabase();
    const store = await openPostgresStore({ url, clock: systemClock, version: 'test' });
    onTestFinished(() => store.close());
    await store.sources.insert(source('dc_1'));
    const fence = await fenceOf(store, 'dc_1');
    let i = 0;
    let taken: number[] = [];
    const state = { isOver: false };
    const write = async (): Promise<void> => {
      while (!state.isOver) {
        const n = ++i;
        const begun = performance.now();
        const trigger = { kind: 'event', json: '{"a":1}' } as const;
        const accepted = store.accept({ emitterId: 'dc_1', fence, cause: 'http', trigger, at: n });
        await accepted.durable;
        taken.push(performance.now() - begun);
        await store.commit({
          n: accepted.n,
          emitterId: 'dc_1',
          fence,
          status: 'succeeded',
          startedAt: n,
          endedAt: n,
          events: [event(`${n}-0`)],
          drops: [],
          db: [{ prop: 'db', key: 'count', json: String(n) }],
          logs: [],
        });
      }
    };
    const all = Promise.all(Array.from({ length: writers }, write));
    /** The median of the 99th percentiles of so many seconds: one slow second of the machine says nothing. */
    const p99 = async (count: number): Promise<number> => {
      const found: number[] = [];
      for (let second = 0; second < count; second++) {
        taken = [];
        await new Promise((resolve) => setTimeout(resolve, 1000));
        found.push(percentile(taken, 0.99));
      }
      return percentile(found, 0.5);
    };
    await p99(3);
    const before = await p99(10);
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.query('SELECT count(*) FROM accepted');
    const held = await p99(seconds);
    const { rows } = await holder.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE pid = pg_backend_pid() AND backend_xmin IS NOT NULL`,
    );
    await holder.query('COMMIT');
    await holder.end();
    const after = await p99(10);
    state.isOver = true;
    await all;
    // It was held to the end.
    expect(rows).toEqual([{ n: 1 }]);
    expect(held).toBeLessThanOrEqual(2 * Math.max(before, after));
  },
);

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Infinity;
}
