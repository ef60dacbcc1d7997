/** Rules of what survives the end of the store: what resolved all of it, the rest whole or not at all. */
import { expect } from 'vitest';
import { event, fenceOf, run, source, take, webhook, ownerOf } from '../support/records.ts';
import { randomFrom } from '../support/power-disk.ts';
import { oneSource, topic, twoSources } from './rules.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** One whole effect: two events, a key, an id, a line, a delivery, a run of a listener. */
const effect = (i: number) => ({
  events: [event(`${i}-0`, { webhooks: ['wh_1'], triggers: ['dc_2'] }), event(`${i}-1`)],
  db: [{ prop: 'db', key: 'last', json: String(i) }],
  dedupe: { strategy: 'unique', append: [String(i)] },
  logs: [{ at: i, kind: 'console', level: 'info', text: String(i) } as const],
});

export const crashes = topic('after a crash', twoSources, (rule) => {
  for (const seed of [1, 2, 3, 4]) {
    rule(`what resolved is there, the rest whole or not at all (${seed})`, async (opened) => {
      const { store } = opened;
      const random = randomFrom(seed);
      await store.webhooks.insert(webhook('wh_1'));
      const fence = await fenceOf(store, 'dc_1');
      const on = { disk: 0 };
      let asked = 0;
      const turns = 20 + Math.floor(random() * 40);
      // However long the way to its disk is: a slow machine gets no more work meanwhile.
      for (let i = 0; i < turns || on.disk === 0; i++) {
        for (let more = i < turns ? random() * 3 : 0; more > 0; more--) {
          const number = ++asked;
          void run(store, { fence, ...effect(number) }).then(
            () => (on.disk = number),
            () => 0,
          );
        }
        await turn();
      }
      const acknowledged = on.disk;
      expect(acknowledged).toBeGreaterThan(0);
      const again = await opened.crash(random);
      const { db, dedupe, newestEvent, openDeliveries, unfinished } = await take(again, 'dc_1');
      const last = Number(db['db']?.['last']);
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      const to = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
      expect((await again.events.after('dc_1', '0-0', 1e6)).map(({ id }) => id)).toEqual(
        to(last).flatMap((i) => [`${i}-0`, `${i}-1`]),
      );
      expect(newestEvent).toEqual({ ms: last, seq: 1 });
      expect(dedupe.ids).toEqual(to(last).map(String).slice(-100));
      expect(openDeliveries.map(({ eventId }) => eventId)).toEqual(to(last).map((i) => `${i}-0`));
      const lines = await again.logs.after('dc_1', 0, 1e6);
      expect(lines.map(({ text }) => text)).toEqual(to(last).map(String));
      // Its inbox may have one that had no end yet; listeners have one of each.
      const accepted = await again.invocations.list('dc_1', { limit: 1e6 });
      expect(accepted.total).toBe(last + unfinished.length);
      expect((await take(again, 'dc_2')).unfinished).toHaveLength(last);
    });
  }

  for (const seed of [1, 2, 3]) {
    rule(`what was accepted is there, with its tick (${seed})`, async (opened) => {
      const { store } = opened;
      const random = randomFrom(seed);
      const timer = { id: 'ti_1', prop: 't', kind: 'timer', intervalSeconds: 9 } as const;
      await store.sources.replace(source('dc_1', { interfaces: [timer] }));
      const fence = await fenceOf(store, 'dc_1');
      let acknowledged = 0;
      for (let nextAt = 1; nextAt <= 12; nextAt++) {
        const tick = { interfaceId: 'ti_1', nextAt };
        const accept = { emitterId: 'dc_1', fence, cause: 'timer', at: nextAt, tick } as const;
        void store.accept(accept).durable.then(
          () => (acknowledged = nextAt),
          () => 0,
        );
        if (random() < 0.7) await turn();
      }
      const before = acknowledged;
      const again = await opened.crash(random);
      const nextAt = again.sources.get('dc_1')?.interfaces[0]?.nextAt ?? 0;
      expect(nextAt).toBeGreaterThanOrEqual(before);
      expect((await take(again, 'dc_1')).unfinished).toHaveLength(nextAt);
    });
  }

  rule('a number that was acknowledged is not given out again', async ({ store, crash }) => {
    const before = await run(store);
    await store.sources.delete('dc_1');
    const again = await crash(() => 0);
    expect((await run(again, { emitterId: 'dc_2' })).n).toBeGreaterThan(before.n);
  });

  rule('the newest event id is known though its row was deleted', async ({ store, crash }) => {
    await run(store, { events: [event('50-3')] });
    await store.events.delete(await ownerOf(store, 'dc_1'), {});
    expect((await take(await crash(() => 0), 'dc_1')).newestEvent).toEqual({ ms: 50, seq: 3 });
  });

  rule('an attempt that was recorded is there', async ({ store, crash }) => {
    await store.webhooks.insert(webhook('wh_1'));
    const made = await run(store, { events: [event('1-0', { webhooks: ['wh_1'] })] });
    const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: '{}' };
    const attempt = { at: 5, request, response: null, totalMs: 3, error: null };
    for (const { delivery } of made.deliveries) {
      await store.deliveries.record(await fenceOf(store, delivery.emitterId), delivery, attempt, {
        status: 'exhausted',
        nextAt: null,
      });
    }
    const again = await crash(() => 0);
    const n = made.deliveries[0]?.delivery.n ?? 0;
    expect(await again.deliveries.get(n)).toMatchObject({ status: 'exhausted', attempts: 1 });
    expect(await again.deliveries.attempts(n)).toEqual([attempt]);
  });

  rule('what was configured is there', async ({ store, crash }) => {
    await Promise.all([
      store.settings.set('a', '1'),
      store.sources.rename('dc_1', 'New', 'new', 7),
      store.webhooks.insert(webhook('wh_1')),
      store.sources.delete('dc_2'),
    ]);
    const again = await crash(() => 0);
    expect(again.settings.get('a')).toBe('1');
    expect(again.sources.all().map(({ slug }) => slug)).toEqual(['new']);
    expect(again.webhooks.get('wh_1')).toEqual(webhook('wh_1'));
  });
});

export const endings = topic('the end of a store', oneSource, (rule) => {
  rule('by flushing, all that was asked for is safe', async ({ store, crash }) => {
    const fence = await fenceOf(store, 'dc_1');
    const writes = [run(store, { fence, events: [event('1-0')] }), store.settings.set('a', '1')];
    await store.flush();
    const again = await crash(() => 0);
    expect((await again.events.list('dc_1', { limit: 1 })).total).toBe(1);
    expect(again.settings.get('a')).toBe('1');
    await Promise.all(writes);
  });

  rule('by closing, all that was asked for is there', async (opened) => {
    const fence = await fenceOf(opened.store, 'dc_1');
    const write = run(opened.store, { fence, events: [event('1-0')] });
    const again = await opened.reopen();
    await write;
    expect((await again.events.list('dc_1', { limit: 1 })).total).toBe(1);
  });

  rule('closes once, and takes no more writes', async ({ store }) => {
    const fence = await fenceOf(store, 'dc_1');
    const write = run(store, { fence, events: [event('1-0')] });
    await Promise.all([write, store.close(), store.close()]);
    const refused = { code: 'store_failed' };
    await expect(store.settings.set('a', '1')).rejects.toMatchObject(refused);
    await expect(run(store, { fence })).rejects.toMatchObject(refused);
    await expect(store.flush()).rejects.toMatchObject(refused);
  });
});
