/** Rules of runs of actions, which no emitter owns, and of what agents are offered. */
import { expect } from 'vitest';
import type { ActionRunEnd, NewActionRun } from '../../src/runtime/store/history/action-runs.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { randomFrom } from '../support/power-disk.ts';
import { nothing, topic } from './rules.ts';

const started = (startedAt: number, name = 'Greet'): NewActionRun => ({
  name,
  key: 'shop-greet',
  version: '0.0.1',
  path: '/greet.mjs',
  agent: null,
  props: '{"who":"Ädä"}',
  startedAt,
});

const ended: ActionRunEnd = {
  status: 'succeeded',
  endedAt: 9,
  error: null,
  outcome: { exports: '{"a":1}', returnValue: '"é"', logs: '[{"at":1}]', requests: '[{"at":2}]' },
};

async function run(store: Store, startedAt: number): Promise<number> {
  const { n } = await store.actionRuns.begin(started(startedAt));
  await store.actionRuns.end(n, ended);
  return n;
}

export const actionRuns = topic('a run of an action', nothing, (rule) => {
  rule('is there from its beginning on, and with its end has what it did', async (opened) => {
    const { store } = opened;
    const begun = await store.actionRuns.begin(started(5));
    expect(begun).toEqual({
      ...started(5),
      n: expect.any(Number),
      status: 'running',
      endedAt: null,
      error: null,
    });
    const { n } = begun;
    expect(await store.actionRuns.get(n)).toEqual({ ...begun, outcome: null });
    const error = { name: 'Error', message: 'no', stack: 'at' };
    const failed = { ...ended, status: 'failed', error } as const;
    const record = { ...begun, status: 'failed', endedAt: 9, error };
    expect(await store.actionRuns.end(n, failed)).toEqual(record);
    const again = await opened.reopen();
    expect(await again.actionRuns.get(n)).toEqual({ ...record, outcome: ended.outcome });
    expect(await again.actionRuns.get(n + 1)).toBeUndefined();
  });

  rule('ends once', async ({ store }) => {
    const n = await run(store, 5);
    await expect(store.actionRuns.end(n, ended)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.actionRuns.end(n + 1, ended)).rejects.toMatchObject({ code: 'not_found' });
  });

  rule('is listed newest first, page by page', async ({ store, reopen }) => {
    const numbers: number[] = [];
    for (let i = 0; i < 5; i++) numbers.push(await run(store, i));
    const { actionRuns: table } = await reopen();
    const first = await table.list({ limit: 2 });
    expect(first.rows.map(({ n }) => n)).toEqual(numbers.toReversed().slice(0, 2));
    expect(first.rows[0]).not.toHaveProperty('outcome');
    expect(first.total).toBe(5);
    const next = await table.list({ limit: 9, after: first.end ?? '' });
    expect(next.rows.map(({ n }) => n)).toEqual(numbers.toReversed().slice(2));
    await expect(table.list({ limit: 1, after: 'x' })).rejects.toMatchObject({ code: 'bad_input' });
  });

  rule('that goes on is not lost to the runtime that runs it', async ({ store }) => {
    const { n } = await store.actionRuns.begin(started(5));
    expect(await store.actionRuns.endLost(7)).toBe(0);
    expect(await store.actionRuns.end(n, ended)).toMatchObject({ status: 'succeeded' });
  });

  rule('that a restart cut off has crashed, and its number does not return', async (opened) => {
    const { n } = await opened.store.actionRuns.begin(started(5));
    const done = await run(opened.store, 6);
    const store = await opened.reopen();
    expect(await store.actionRuns.endLost(7)).toBe(1);
    expect(await store.actionRuns.endLost(8)).toBe(0);
    expect(await store.actionRuns.get(n)).toMatchObject({
      status: 'crashed',
      endedAt: 7,
      outcome: null,
    });
    expect((await store.actionRuns.begin(started(8))).n).toBeGreaterThan(done);
  });

  rule('that has resolved survives a crash', async ({ store, crash }) => {
    const n = await run(store, 5);
    const left = await crash(randomFrom(7));
    expect(await left.actionRuns.get(n)).toMatchObject({ outcome: ended.outcome });
  });

  rule('goes by retention when it has ended, and the 100 newest stay', async ({ store }) => {
    const { n } = await store.actionRuns.begin(started(1));
    for (let i = 0; i < 119; i++) await run(store, 10 + i);
    expect(await store.actionRuns.prune({ count: 110, before: 0 })).toBe(9);
    expect(await store.actionRuns.prune({ count: 1, before: 999 })).toBe(10);
    expect((await store.actionRuns.list({ limit: 1 })).total).toBe(101);
    expect(await store.actionRuns.get(n)).toMatchObject({ status: 'running' });
  });
});

export const agentOffers = topic('what agents are offered', nothing, (rule) => {
  rule('is kept, replaced and taken away', async ({ store, reopen }) => {
    const gitlab = { what: 'gitlab', accounts: { gitlab: 'apn_1' }, live: ['gitlab-get-issue'] };
    const file = { what: '/é.mjs', accounts: {}, live: [] };
    await store.agentOffers.put({ ...gitlab, live: [] });
    await store.agentOffers.put(file);
    await store.agentOffers.put(gitlab);
    for (const { agentOffers: table } of [store, await reopen()]) {
      expect(table.all()).toEqual([gitlab, file]);
    }
    const again = await reopen();
    expect(await again.agentOffers.delete('gitlab')).toBe(true);
    expect(await again.agentOffers.delete('gitlab')).toBe(false);
    expect((await reopen()).agentOffers.all()).toEqual([file]);
  });
});
