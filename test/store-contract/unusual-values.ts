/** Rules for text and numbers that a store might take for something else. */
import { expect } from 'vitest';
import { event, fenceOf, run, source, take, httpTrigger } from '../support/records.ts';
import { oneSource, topic } from './rules.ts';

/** Half of a character has no UTF-8: U+FFFD stands for it. */
const texts: Record<string, readonly [put: string, got: string]> = {
  nothing: ['', ''],
  'a NUL within': ['a\u0000b', 'a\u0000b'],
  'a NUL at the end': ['a\u0000', 'a\u0000'],
  'halves of characters': ['a\uD83Db\uDEB0', 'a\uFFFDb\uFFFD'],
  'whole characters': ['Zoë 🚰 東京', 'Zoë 🚰 東京'],
  'signs of SQL': [`'; DROP TABLE "events"; -- %_\\`, `'; DROP TABLE "events"; -- %_\\`],
  __proto__: ['__proto__', '__proto__'],
};

export const unusualText = topic('text', oneSource, (rule) => {
  for (const [name, [put, got]] of Object.entries(texts)) {
    rule(`comes back wherever it was put: ${name}`, async ({ store, reopen }) => {
      const payload = JSON.stringify({ [put]: put });
      const made = await run(store, {
        events: [
          event('1-0', { payload, summary: put, dedupeId: put, channel: put, emitId: put }),
          // The payload is not looked into.
          event('1-1', { payload: put }),
        ],
        db: [{ prop: put, key: put, json: JSON.stringify(put) }],
        dedupe: { strategy: 'unique', append: [put], last: put },
        logs: [{ at: 1, kind: 'console', level: 'info', text: put }],
        error: { name: put, message: put, stack: put },
        status: 'failed',
      });
      await store.settings.set(put, put);
      await store.dataStores.ensure({ id: 'ds_1', name: 'one', createdAt: 1 });
      await store.dataStores.set('ds_1', [put, put], null, 1);

      const again = await reopen();
      const [first, second] = await again.events.ofInvocation(made.n);
      expect(first).toMatchObject({ payload, summary: got, dedupeId: got, emitId: got });
      expect(first?.channel).toBe(got);
      expect(second?.payload).toBe(got);
      const { db, dedupe, lastInvocation } = await take(again, 'dc_1');
      expect(Object.entries(db).map(([prop, values]) => [prop, Object.entries(values)])).toEqual([
        [got, [[got, JSON.stringify(put)]]],
      ]);
      expect(dedupe).toEqual({ strategy: 'unique', ids: [got], last: got });
      expect(lastInvocation?.error?.message).toBe(put);
      expect((await again.logs.ofInvocation(made.n)).map(({ text }) => text)).toEqual([got]);
      expect(again.settings.get(got)).toBe(got);
      expect(await again.dataStores.entries('ds_1', 1, { after: null, limit: 9 })).toEqual([
        [got, got],
      ]);
      // The same key, not one beside it.
      await run(again, { db: [{ prop: put, key: put }] });
      expect((await take(await reopen(), 'dc_1')).db).toEqual({});
    });
  }

  rule('of 5 MB survives', async ({ store, reopen }) => {
    const text = 'Zoë🚰'.repeat(600_000);
    const payload = JSON.stringify(text);
    const fence = await fenceOf(store, 'dc_1');
    const body = new Uint8Array(5_000_000).map((_, i) => i % 251);
    const trigger = httpTrigger(body);
    const { n } = store.accept({ emitterId: 'dc_1', fence, cause: 'http', trigger, at: 7 });
    await run(store, {
      n,
      events: [event('1-0', { payload })],
      db: [{ prop: 'db', key: 'k', json: payload }],
    });
    const again = await reopen();
    const kept = await again.invocations.trigger(n);
    expect(kept?.kind === 'http' && Buffer.compare(kept.body, body)).toBe(0);
    expect((await again.events.get('dc_1', '1-0'))?.payload === payload).toBe(true);
    expect((await take(again, 'dc_1')).db['db']?.['k'] === payload).toBe(true);
  });
});

export const unusualNumbers = topic('numbers', oneSource, (rule) => {
  rule('come back as they were put, up to 2^53', async ({ store, reopen }) => {
    const largest = Number.MAX_SAFE_INTEGER;
    const ids = [0, -1, 0.1, 2 ** 31, 2 ** 32 + 1, largest, 2 ** 53, -(2 ** 53), 1e300, 5e-324];
    const timer = { id: 'ti_1', prop: 't', kind: 'timer', nextAt: largest } as const;
    const interfaces = [{ ...timer, intervalSeconds: 0.1 }];
    const record = source('dc_1', { interfaces, updatedAt: largest });
    await store.sources.replace(record);
    const made = await run(store, {
      events: ids.map((dedupeId, i) => event(`999999999999999-${i}`, { dedupeId, ts: dedupeId })),
      dedupe: { strategy: 'greatest', greatest: 2 ** 53 },
      startedAt: largest,
      endedAt: largest,
    });
    const again = await reopen();
    const events = await again.events.ofInvocation(made.n);
    expect(events.map(({ dedupeId }) => dedupeId)).toEqual(ids);
    expect(events.map(({ ts }) => ts)).toEqual(ids);
    const { newestEvent, dedupe, lastInvocation } = await take(again, 'dc_1');
    expect(newestEvent).toEqual({ ms: 999_999_999_999_999, seq: 9 });
    expect(dedupe.greatest).toBe(2 ** 53);
    expect(lastInvocation?.endedAt).toBe(largest);
    expect(again.sources.get('dc_1')).toEqual(record);
  });
});
