import { expect, test } from 'vitest';
import type { Emit } from '../../../../../src/protocol/host.ts';
import type { DedupeStrategy } from '../../../../../src/runtime/events/emit/dedupe.ts';
import { createEmitIds } from '../../../../../src/runtime/events/emit/emit-ids.ts';
import { OwnedEmitters } from '../../../../../src/runtime/events/owner/owned-emitters.ts';
import { EventPlanner } from '../../../../../src/runtime/events/emit/planner.ts';
import { secureRandom } from '../../../../../src/runtime/base/ids.ts';
import { storeWithSource } from '../../../../support/store.ts';

const emitterId = 'dc_1';

/** Batches with repetitions within and across them, the same each time. */
function* batches(): Generator<[DedupeStrategy | null, Emit[]]> {
  let state = 42;
  const draw = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const strategies = ['unique', 'unique', 'greatest', 'last', null, 'unique'] as const;
  for (const strategy of strategies) {
    for (let i = 0; i < 12; i++) {
      const emits = Array.from({ length: draw(70) }, () => ({
        event: '{}',
        id: draw(250),
        at: draw(50),
      }));
      yield [strategy, emits];
    }
  }
}

test(
  'what is kept in memory and what is stored stay the same, over restarts',
  { timeout: 20_000 },
  async () => {
    const made = await storeWithSource();
    let { store } = made;
    const take = async () => new OwnedEmitters().add(await store.ownership.take(emitterId));
    let emitter = await take();
    const emitted: string[] = [];

    let round = 0;
    for (const [strategy, emits] of batches()) {
      const planner = new EventPlanner({
        strategy: () => strategy,
        mostWaiting: { count: 1000, bytes: 1e6 },
        emitId: createEmitIds(secureRandom),
        listeners: { of: () => ({ webhooks: [], triggers: [] }) },
      });
      const now = Date.now();
      const plan = planner.plan(emitter, emits, now);
      const { n } = store.accept({
        emitterId,
        fence: emitter.fence,
        cause: 'manual',
        trigger: { kind: 'event', json: '{}' },
        at: now,
      });
      await store.commit({
        n,
        emitterId,
        fence: emitter.fence,
        status: 'succeeded',
        startedAt: now,
        endedAt: now,
        db: [],
        logs: [],
        ...plan,
      });
      emitted.push(...plan.events.map((event) => event.id), ...plan.drops.map((drop) => drop.id));
      const { dedupe: stored } = await store.ownership.take(emitterId);
      const { ids, greatest, last, strategy: remembered } = emitter.dedupe;
      expect({ ids: [...ids], greatest, last, strategy: remembered ?? '' }).toEqual({
        ids: [...stored.ids],
        greatest: stored.greatest,
        last: stored.last,
        strategy: stored.strategy ?? '',
      });
      if (++round % 10 === 0) {
        store = await made.reopen();
        emitter = await take();
      }
    }
    expect(new Set(emitted).size).toBe(emitted.length);
  },
);
