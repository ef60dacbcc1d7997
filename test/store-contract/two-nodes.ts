/**
 * What a store has to hold that two runtimes share: configuration that one changes, emitters that go from one to the
 * other, and inboxes in which one leaves what the other runs. A store for one runtime has none of this.
 */
import { describe, expect, test } from 'vitest';
import type { SharedStore } from '../../src/runtime/store/shared.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { event, ownerOf, run, source, take, webhook } from '../support/records.ts';
import { oneWorkflow } from './workflows.ts';

/** The store as one of the runtimes has it. */
export type NodeStore = Store & { readonly shared: SharedStore };

/** Two runtimes on one store that has nothing in it. */
export interface TwoNodes {
  readonly one: NodeStore;
  readonly other: NodeStore;
  /** For good. Never rejects. */
  readonly end: () => Promise<void>;
}

export type OpenTwoNodes = () => Promise<TwoNodes>;

type Check = (nodes: TwoNodes) => Promise<void>;

const trigger = { kind: 'event', json: '{"a":1}' } as const;
const left = (n: number) => ({ emitterId: 'dc_1', n, cause: 'http', trigger, at: 5 }) as const;
const nothing = { changed: [], deleted: [] };

/** One has made `dc_1`, and the other owns it. */
async function shareSource({ one, other }: TwoNodes): Promise<void> {
  await one.sources.insert(source('dc_1'));
  await one.shared.release(await ownerOf(one, 'dc_1'));
  await other.shared.refresh();
  await take(other, 'dc_1');
}

const rules: Readonly<Record<string, Check>> = {
  async 'what one configures another reads anew, and hears what it was'({ one, other }) {
    const before = one.shared.changes;
    await one.sources.insert(source('dc_1'));
    await one.webhooks.insert(webhook('wh_1'));
    await one.settings.set('a', '1');
    expect(one.shared.changes).toBeGreaterThan(before);
    expect(other.sources.get('dc_1')).toBeUndefined();
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
  },

  async 'a workflow that one deploys another knows whole, until it is deleted'({ one, other }) {
    await oneWorkflow(one);
    expect((await other.shared.refresh()).workflows).toEqual({ changed: ['p_1'], deleted: [] });
    expect(other.workflows.get('p_1')).toEqual(one.workflows.get('p_1'));
    expect(other.workflows.deploymentsOf('p_1')).toEqual(one.workflows.deploymentsOf('p_1'));
    await one.workflows.delete('p_1');
    expect((await other.shared.refresh()).workflows).toEqual({ changed: [], deleted: ['p_1'] });
    expect(other.workflows.find('p_1')).toBeUndefined();
  },

  async 'an emitter that was given back is the other’s, with all that belongs to it'(nodes) {
    const { one, other } = nodes;
    await one.sources.insert(source('dc_1'));
    await run(one, { events: [event('5-0')], db: [{ prop: 'db', key: 'k', json: '1' }] });
    const owner = await ownerOf(one, 'dc_1');
    const released = one.shared.release(owner);
    await expect(run(one, { fence: owner.fence })).rejects.toMatchObject({ code: 'conflict' });
    await released;
    await other.shared.refresh();
    const taken = await take(other, 'dc_1');
    expect(taken).toMatchObject({
      released: true,
      db: { db: { k: '1' } },
      newestEvent: { ms: 5, seq: 0 },
    });
    expect(taken.fence).toBeGreaterThan(owner.fence);
    await run(other, { events: [event('6-0')] });
    expect((await one.events.after('dc_1', '0-0', 9)).map(({ id }) => id)).toEqual(['5-0', '6-0']);
  },

  async 'an emitter has one owner, whom all name'(nodes) {
    const { one, other } = nodes;
    await shareSource(nodes);
    await expect(take(one, 'dc_1')).rejects.toMatchObject({ code: 'conflict' });
    const owners = await one.shared.owners();
    expect(owners.map(({ id }) => id)).toEqual(['dc_1']);
    expect(await other.shared.owners()).toEqual(owners);
    await other.shared.release(await ownerOf(other, 'dc_1'));
    expect(await one.shared.owners()).toEqual([]);
  },

  async 'an emitter that its owner gives up may be taken'(nodes) {
    const { one, other } = nodes;
    await shareSource(nodes);
    // It is not the owner: nothing happens.
    await one.shared.giveUp('dc_1');
    await expect(take(one, 'dc_1')).rejects.toMatchObject({ code: 'conflict' });
    await other.shared.giveUp('dc_1');
    expect(await one.shared.owners()).toEqual([]);
    await take(one, 'dc_1');
    await expect(run(one, { events: [event('5-0')] })).resolves.toBeDefined();
  },

  async 'numbers that are handed out in advance are handed out once'({ one, other }) {
    const numbers = [one, other, one, other].map(({ shared }) => shared.nextNumber());
    expect(new Set(numbers).size).toBe(4);
  },

  async 'what is left in the inbox of another is taken up there once'(nodes) {
    const { one, other } = nodes;
    await shareSource(nodes);
    const numbers = [one.shared.nextNumber(), one.shared.nextNumber()];
    for (const n of numbers) await one.shared.leave(left(n));
    await one.shared.leave(left(numbers[0] ?? 0));
    expect(await one.shared.takeLeft()).toEqual([]);
    expect(await other.shared.takeLeft()).toEqual(
      numbers.map((n) => ({ n, emitterId: 'dc_1', cause: 'http', createdAt: 5, trigger })),
    );
    expect(await other.shared.takeLeft()).toEqual([]);
    const unfinished = numbers.map((n) => other.shared.isOpen('dc_1', n));
    expect([...unfinished, other.shared.isOpen('dc_1', 999_999)]).toEqual([true, true, false]);
  },

  async 'what was forwarded and left as well is one invocation, whichever came first'(nodes) {
    const { one, other } = nodes;
    await shareSource(nodes);
    const { fence } = await ownerOf(other, 'dc_1');
    const forwarded = (n: number) =>
      other.accept({ emitterId: 'dc_1', fence, n, cause: 'http', trigger, at: 5 });
    const first = one.shared.nextNumber();
    const second = one.shared.nextNumber();
    const third = one.shared.nextNumber();
    // It arrived, and nobody heard of it in time.
    await forwarded(first).durable;
    await one.shared.leave(left(first));
    expect(await other.shared.takeLeft()).toEqual([]);
    expect(() => forwarded(first)).toThrow('before');
    // It arrives when it was left already.
    await one.shared.leave(left(second));
    await expect(forwarded(second).durable).rejects.toMatchObject({ code: 'conflict' });
    expect(await other.shared.takeLeft()).toEqual([]);
    // It has run and ended by then.
    await forwarded(third).durable;
    await other.commit({
      n: third,
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
    await one.shared.leave(left(third));
    expect(await other.shared.takeLeft()).toEqual([]);
    await other.shared.release(await ownerOf(other, 'dc_1'));
    const { unfinished, lastInvocation } = await take(one, 'dc_1');
    expect(unfinished.map(({ record }) => record.n)).toEqual([first, second]);
    expect(lastInvocation?.n).toBe(third);
  },

  async 'what was left is there for whoever takes the emitter, and no second time'(nodes) {
    const { one, other } = nodes;
    await shareSource(nodes);
    const n = one.shared.nextNumber();
    await one.shared.leave(left(n));
    await other.shared.release(await ownerOf(other, 'dc_1'));
    const { unfinished } = await take(one, 'dc_1');
    expect(unfinished.map(({ record }) => record.n)).toEqual([n]);
    expect(await one.shared.takeLeft()).toEqual([]);
  },

  async 'an event leaves runs of listeners that another owns, in the order of emission'(nodes) {
    const { one, other } = nodes;
    await shareSource(nodes);
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
  },

  async 'when the timers of another’s emitter tick is read when it is asked for'({ one, other }) {
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
  },
};

/** Every rule as a test. @param implementation its name */
export function sharedStoreContract(implementation: string, open: OpenTwoNodes): void {
  describe(`the contract of a store of two runtimes, kept by ${implementation}`, () => {
    test.each(Object.keys(rules))('%s', async (title) => {
      expect.hasAssertions();
      await tryRule(title, open);
    });
  });
}

/** Tries some rules. @returns those that are not kept */
export async function brokenRulesOfTwoNodes(
  open: OpenTwoNodes,
  titles: readonly string[],
): Promise<string[]> {
  const broken: string[] = [];
  for (const title of titles) {
    const isKept = await tryRule(title, open).then(
      () => true,
      () => false,
    );
    if (!isKept) broken.push(title);
  }
  return broken;
}

async function tryRule(title: string, open: OpenTwoNodes): Promise<void> {
  const check = rules[title];
  if (check === undefined) throw new Error(`There is no rule "${title}".`);
  const nodes = await open();
  try {
    await check(nodes);
  } finally {
    await nodes.end();
  }
}
