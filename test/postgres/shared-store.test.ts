/** What the tables say of inboxes and owners, beside the contract of a store of two runtimes. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/runtime/base/clock.ts';
import type { SharedStore } from '../../src/runtime/store/shared.ts';
import { joinPostgres } from '../../src/runtime/store/postgres/open-store.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { startPostgres } from '../support/postgres.ts';
import { event, ownerOf, run, source, take } from '../support/records.ts';

const postgres = await startPostgres(atEndOfSuite());

type Shared = Store & { readonly shared: SharedStore };

async function node(url: string): Promise<Shared> {
  const member = await joinPostgres({ url, clock: systemClock, version: 'test' });
  onTestFinished(() => member.leave().catch(() => undefined));
  const store = await member.openStore();
  if (store.shared === undefined) throw new Error('It is shared.');
  return store as Shared;
}

/** The first one leads, and has made a source that the second one owns. */
async function two() {
  const url = await postgres.newDatabase();
  const one = await node(url);
  const other = await node(url);
  await one.sources.insert(source('dc_1'));
  await one.shared.release(await ownerOf(one, 'dc_1'));
  await other.shared.refresh();
  await take(other, 'dc_1');
  return { url, one, other };
}

const trigger = { kind: 'event', json: '{"a":1}' } as const;

test('(26) nothing stays behind of what was left, whether it was taken up, had arrived or went to the next owner', async () => {
  const { url, one, other } = await two();
  const { fence } = await ownerOf(other, 'dc_1');
  const leave = (n: number) =>
    one.shared.leave({ emitterId: 'dc_1', n, cause: 'http', trigger, at: 5 });
  await leave(one.shared.nextNumber());
  expect(await other.shared.takeLeft()).toHaveLength(1);
  const n = one.shared.nextNumber();
  await other.accept({ emitterId: 'dc_1', fence, n, cause: 'http', trigger, at: 5 }).durable;
  await leave(n);
  expect(await other.shared.takeLeft()).toEqual([]);
  await leave(one.shared.nextNumber());
  await other.shared.release(await ownerOf(other, 'dc_1'));
  await take(one, 'dc_1');
  expect(await one.shared.takeLeft()).toEqual([]);
  expect(await postgres.query('SELECT count(*)::int AS n FROM accepted', url)).toEqual([{ n: 3 }]);
  expect(await postgres.query('SELECT * FROM left_for_owner', url)).toEqual([]);
});

test('an emitter that was taken is taken once more where the answer was lost', async () => {
  const { url, one, other } = await two();
  await other.shared.giveUp('dc_1');
  const [first] = await postgres.query('SELECT min(id)::int AS id FROM nodes', url);
  await postgres.query(`UPDATE emitters SET node = ${Number(first?.['id'])}, epoch = 9`, url);
  expect((await take(one, 'dc_1')).fence).toBe(10);
  await other.shared.giveUp('dc_1');
  await expect(run(one, { events: [event('5-0')] })).resolves.toBeDefined();
});
