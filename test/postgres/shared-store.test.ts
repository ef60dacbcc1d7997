/** What several runtimes have of one store: configuration that one changes, emitters that go from one to another, and inboxes. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/runtime/base/clock.ts';
import type { SharedStore } from '../../src/runtime/store/shared.ts';
import { joinPostgres } from '../../src/runtime/store/postgres/open-store.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { startPostgres } from '../support/postgres.ts';
import { event, ownerOf, run, source, take, webhook } from '../support/records.ts';

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
const left = (n: number) => ({ emitterId: 'dc_1', n, cause: 'http', trigger, at: 5 }) as const;

test('what one changes of the configuration another reads anew, and hears what it was', async () => {
  const url = await postgres.newDatabase();
  const one = await node(url);
  const other = await node(url);
  const before = one.shared.changes;
  await one.sources.insert(source('dc_1'));
  await one.webhooks.insert(webhook('wh_1'));
  await one.settings.set('a', '1');
  expect(one.shared.changes).toBeGreaterThan(before);
  expect(other.sources.get('dc_1')).toBeUndefined();
  const nothing = { changed: [], deleted: [] };
  expect(await other.shared.refresh()).toEqual({
    sources: { changed: ['dc_1'], deleted: [] },
    workflows: nothing,
    webhooks: { changed: ['wh_1'], deleted: [] },
    subscriptions: nothing,
    accounts: nothing,
  });
  expect(other.sources.get('dc_1')).toEqual(one.sources.get('dc_1'));
  expect(other.settings.get('a')).toBe('1');
  await one.sources.rename('dc_1', 'Other', 'other', 9);
  await one.webhooks.delete('wh_1');
  expect(await other.shared.refresh()).toMatchObject({
    sources: { changed: ['dc_1'], deleted: [] },
    webhooks: { changed: [], deleted: ['wh_1'] },
  });
  expect(other.sources.bySlug('other')?.name).toBe('Other');
  await one.sources.delete('dc_1');
  expect((await other.shared.refresh()).sources).toEqual({ changed: [], deleted: ['dc_1'] });
  expect(await other.shared.refresh()).toMatchObject({ sources: nothing, webhooks: nothing });
});

test('(15) an emitter that was given back is the other one’s, with all that belongs to it; the first writes nothing more', async () => {
  const url = await postgres.newDatabase();
  const one = await node(url);
  const other = await node(url);
  await one.sources.insert(source('dc_1'));
  await run(one, { events: [event('5-0')], db: [{ prop: 'db', key: 'k', json: '1' }] });
  const owner = await ownerOf(one, 'dc_1');
  const late = one.shared.release(owner);
  await expect(run(one, { fence: owner.fence })).rejects.toMatchObject({ code: 'conflict' });
  await late;
  await other.shared.refresh();
  const taken = await take(other, 'dc_1');
  expect(taken).toMatchObject({
    released: true,
    db: { db: { k: '1' } },
    newestEvent: { ms: 5, seq: 0 },
  });
  expect(taken.fence).toBeGreaterThan(owner.fence);
  expect(await one.shared.owners()).toEqual(await other.shared.owners());
  await expect(take(one, 'dc_1')).rejects.toMatchObject({ code: 'conflict' });
  await run(other, { events: [event('6-0')] });
  expect((await one.events.after('dc_1', '0-0', 9)).map(({ id }) => id)).toEqual(['5-0', '6-0']);
});

test('(25) what is left in the inbox of another is taken up there once', async () => {
  const { url, one, other } = await two();
  const numbers = [one.shared.nextNumber(), one.shared.nextNumber()];
  for (const n of numbers) await one.shared.leave(left(n));
  await one.shared.leave(left(numbers[0] ?? 0));
  expect(await one.shared.takeLeft()).toEqual([]);
  expect(await other.shared.takeLeft()).toEqual(
    numbers.map((n) => ({ n, emitterId: 'dc_1', cause: 'http', createdAt: 5, trigger })),
  );
  expect(await other.shared.takeLeft()).toEqual([]);
  expect(await postgres.query('SELECT * FROM left_for_owner', url)).toEqual([]);
});

test('(26) what was passed on and was left as well is one invocation, whichever came first', async () => {
  const { url, one, other } = await two();
  const { fence } = await ownerOf(other, 'dc_1');
  const passed = (n: number) =>
    other.accept({ emitterId: 'dc_1', fence, n, cause: 'http', trigger, at: 5 });
  const [first, second, ended] = [1, 2, 3].map(() => one.shared.nextNumber()) as [
    number,
    number,
    number,
  ];
  // It arrived, and nobody heard of it in time.
  await passed(first).durable;
  await one.shared.leave(left(first));
  expect(await other.shared.takeLeft()).toEqual([]);
  expect(() => passed(first)).toThrow('before');
  // It arrives when it was left already.
  await one.shared.leave(left(second));
  await expect(passed(second).durable).rejects.toMatchObject({ code: 'conflict' });
  expect(await other.shared.takeLeft()).toEqual([]);
  // It has run and ended by then.
  await passed(ended).durable;
  await other.commit({
    n: ended,
    emitterId: 'dc_1',
    fence,
    status: 'succeeded',
    startedAt: 5,
    endedAt: 6,
    events: [],
    drops: [],
    db: [],
    logs: [],
  });
  await one.shared.leave(left(ended));
  expect(await other.shared.takeLeft()).toEqual([]);
  expect(await postgres.query('SELECT count(*)::int AS n FROM accepted', url)).toEqual([{ n: 3 }]);
  expect(await postgres.query('SELECT * FROM left_for_owner', url)).toEqual([]);
});

test('what was left is there for whoever takes the emitter, and no second time', async () => {
  const { url, one, other } = await two();
  const n = one.shared.nextNumber();
  await one.shared.leave(left(n));
  await other.shared.release(await ownerOf(other, 'dc_1'));
  const { unfinished } = await take(one, 'dc_1');
  expect(unfinished.map(({ record }) => record.n)).toEqual([n]);
  expect(await one.shared.takeLeft()).toEqual([]);
  expect(await postgres.query('SELECT * FROM left_for_owner', url)).toEqual([]);
});

test('an emitter that does not run at the node that took it can be given up, and taken once more where the answer was lost', async () => {
  const { url, one, other } = await two();
  await other.shared.giveUp('dc_1');
  await one.shared.giveUp('dc_1');
  expect(await one.shared.owners()).toEqual([]);
  const [first] = await postgres.query('SELECT min(id)::int AS id FROM nodes', url);
  await postgres.query(`UPDATE emitters SET node = ${Number(first?.['id'])}, epoch = 9`, url);
  expect((await take(one, 'dc_1')).fence).toBe(10);
  await other.shared.giveUp('dc_1');
  await expect(run(one, { events: [event('5-0')] })).resolves.toBeDefined();
});

test('(33) an event leaves runs of listeners that another owns, in the order of emission', async () => {
  const { one, other } = await two();
  await one.sources.insert(source('dc_2'));
  await run(one, {
    emitterId: 'dc_2',
    events: ['7-0', '7-1', '7-2'].map((id) => event(id, { triggers: ['dc_1'] })),
  });
  const taken = await other.shared.takeLeft();
  expect(taken.map(({ emitterId, cause }) => [emitterId, cause])).toEqual(
    [1, 2, 3].map(() => ['dc_1', 'event']),
  );
  expect(taken.map(({ n }) => n)).toEqual(taken.map(({ n }) => n).toSorted((a, b) => a - b));
});

test('when the timers of another’s emitter tick is read when it is asked for', async () => {
  const url = await postgres.newDatabase();
  const one = await node(url);
  const other = await node(url);
  const timer = { id: 'ti_1', prop: 'timer', kind: 'timer', intervalSeconds: 60 } as const;
  await one.sources.insert({ ...source('dc_1'), interfaces: [timer] });
  await one.shared.release(await ownerOf(one, 'dc_1'));
  await other.shared.refresh();
  await take(other, 'dc_1');
  await other.sources.setNextTick(await ownerOf(other, 'dc_1'), 'ti_1', 77);
  // What it owns it does not read anew: nobody else changes it.
  await other.shared.refresh();
  expect(other.sources.get('dc_1')?.interfaces).toEqual([{ ...timer, nextAt: 77 }]);
  expect(one.sources.get('dc_1')?.interfaces).toEqual([timer]);
  await one.shared.refreshTicks('dc_1');
  expect(one.sources.get('dc_1')?.interfaces).toEqual([{ ...timer, nextAt: 77 }]);
});
