import { expect, test } from 'vitest';
import type { Emit } from '../../../../src/protocol/host.ts';
import { DedupeStates } from '../../../../src/runtime/emit/dedupe-states.ts';
import type { DedupeStrategy } from '../../../../src/runtime/emit/dedupe.ts';
import { createEmitIds } from '../../../../src/runtime/emit/emit-ids.ts';
import { EventIds } from '../../../../src/runtime/emit/event-ids.ts';
import { EventPlanner } from '../../../../src/runtime/emit/planner.ts';
import { secureRandom } from '../../../../src/runtime/ids.ts';
import { run } from '../../../support/records.ts';
import { storeWithSource } from '../../../support/store.ts';

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
    let states = new DedupeStates((id) => store.sources.dedupe(id));
    const emitted: string[] = [];

    let round = 0;
    for (const [strategy, emits] of batches()) {
      const planner = new EventPlanner({
        states,
        strategy: () => strategy,
        ids: new EventIds(store.events.lastId()),
        emitId: createEmitIds(secureRandom),
        listeners: { of: () => ({ webhooks: [], sources: [] }) },
      });
      const now = Date.now();
      const plan = planner.plan('dc_1', emits, now);
      await run(store, { startedAt: now, endedAt: now, ...plan });
      emitted.push(...plan.events.map((event) => event.id), ...plan.drops.map((drop) => drop.id));
      const stored = store.sources.dedupe('dc_1');
      const { ids, greatest, last, strategy: remembered } = states.get('dc_1');
      expect({ ids: [...ids], greatest, last, strategy: remembered ?? '' }).toEqual({
        ids: [...stored.ids],
        greatest: stored.greatest,
        last: stored.last,
        strategy: stored.strategy ?? '',
      });
      if (++round % 10 === 0) {
        store = await made.reopen();
        states = new DedupeStates((id) => store.sources.dedupe(id));
      }
    }
    expect(new Set(emitted).size).toBe(emitted.length);
  },
);
