import { writeSync } from 'node:fs';
import { event, run, source } from '../support/records.ts';
import { open } from '../support/open-store.ts';

/**
 * Writes to a store until it is killed, and says on stdout which invocations were acknowledged.
 *
 *     node store-kill-worker.js FILE FIRST [early]
 *
 * `early` acknowledges before the disk did: the test has to notice.
 */
const [file = '', first = '1', mode] = process.argv.slice(2);
const early = mode === 'early';

const store = await open(file);
if (store.sources.get('dc_1') === undefined) await store.sources.insert(source('dc_1'));

const { fence } = await store.ownership.take('dc_1');

let next = Number(first);
const acknowledge = (i: number) => writeSync(1, `${i}\n`);

/** Two events and a db key each: all of it is there or nothing. */
async function work(): Promise<never> {
  for (;;) {
    const i = next++;
    const payload = JSON.stringify('x'.repeat(i % 50 === 0 ? 30_000 : 300));
    const written = run(store, {
      fence,
      events: [event(`${i}-0`, { payload }), event(`${i}-1`, { payload })],
      db: [{ prop: 'db', key: 'last', json: String(i) }],
    });
    if (early) acknowledge(i);
    else {
      await written;
      acknowledge(i);
    }
  }
}
await Promise.all(Array.from({ length: early ? 1 : 16 }, work));
