import { expect, test } from 'vitest';
import type { DbWrite } from '../../../../../src/protocol/host.ts';
import { commitAhead } from '../../../../../src/runtime/events/owner/commit-ahead.ts';
import { DbMemory } from '../../../../../src/runtime/events/owner/db-memory.ts';
import { DedupeMemory } from '../../../../../src/runtime/events/owner/dedupe-memory.ts';
import { WaitingEmitsMemory } from '../../../../../src/runtime/events/owner/waiting-emits-memory.ts';
import type { DedupeChange } from '../../../../../src/runtime/store/commit.ts';
import type { NewScheduledEmit } from '../../../../../src/runtime/store/history/scheduled-emits.ts';
import { scheduled } from '../../../../support/records.ts';

/** An emitter in memory, as it was read from a store that has `k: 1` and the dedupe id `old`. */
function emitterOf(ids: readonly string[] = ['old']) {
  const db = new DbMemory({ db: { k: '1' } });
  const dedupe = new DedupeMemory({ strategy: 'unique', ids: [...ids] });
  const waitingEmits = new WaitingEmitsMemory({ count: 0, bytes: 0, nextAt: undefined });
  return {
    db,
    dedupe,
    waitingEmits,
    /** As the committers do: the planner's part first. */
    commit(commit: {
      readonly db?: readonly DbWrite[];
      readonly dedupe?: DedupeChange;
      readonly scheduled?: readonly NewScheduledEmit[];
    }) {
      if (commit.dedupe !== undefined) dedupe.apply(commit.dedupe);
      if (commit.scheduled !== undefined) waitingEmits.add(commit.scheduled);
      return commitAhead({ db, dedupe, waitingEmits }, { db: [], ...commit });
    },
    seen: () => ({ db: { ...db.snapshot()['db'] }, ids: [...dedupe.ids] }),
  };
}

const set = (key: string, json: string): DbWrite => ({ prop: 'db', key, json });
const append = (...ids: string[]): DedupeChange => ({ strategy: 'unique', append: ids });

test('the next run sees what a commit under way has changed; a refusal takes it back', () => {
  const emitter = emitterOf();
  const commit = emitter.commit({
    db: [set('k', '2'), set('k', '3'), set('new', '1')],
    dedupe: append('a'),
    scheduled: [scheduled(1)],
  });
  expect(emitter.seen()).toEqual({ db: { k: '3', new: '1' }, ids: ['old', 'a'] });
  expect(emitter.waitingEmits.count).toBe(1);
  commit.refused();
  expect(emitter.seen()).toEqual({ db: { k: '1' }, ids: ['old'] });
  expect(emitter.waitingEmits).toMatchObject({ count: 0, bytes: 0 });
});

test('a key that a refused commit deleted is there again', () => {
  const emitter = emitterOf();
  const commit = emitter.commit({ db: [{ prop: 'db', key: 'k' }] });
  expect(emitter.seen().db).toEqual({});
  commit.refused();
  expect(emitter.seen().db).toEqual({ k: '1' });
});

test('a refusal leaves what later commits have changed', () => {
  const emitter = emitterOf();
  const first = emitter.commit({ db: [set('k', '2'), set('a', '1')], dedupe: append('a') });
  const second = emitter.commit({ db: [set('k', '3'), set('b', '1')], dedupe: append('b') });
  first.refused();
  expect(emitter.seen()).toEqual({ db: { k: '3', b: '1' }, ids: ['old', 'b'] });
  second.stored();
  expect(emitter.seen()).toEqual({ db: { k: '3', b: '1' }, ids: ['old', 'b'] });
});

test.each(['first', 'last'])(
  'all are refused, the %s one first: the stored state is back',
  (which) => {
    const emitter = emitterOf();
    const all = ['2', '3', '4'].map((json) =>
      emitter.commit({ db: [set('k', json)], dedupe: append(json) }),
    );
    for (const one of which === 'first' ? all : all.toReversed()) one.refused();
    expect(emitter.seen()).toEqual({ db: { k: '1' }, ids: ['old'] });
  },
);

test('what was stored before a refusal stays', () => {
  const emitter = emitterOf();
  const first = emitter.commit({ db: [set('k', '2')], dedupe: append('a') });
  const second = emitter.commit({ db: [set('k', '3')], dedupe: append('b') });
  first.stored();
  second.refused();
  expect(emitter.seen()).toEqual({ db: { k: '2' }, ids: ['old', 'a'] });
});

test('an id that the window of 100 had dropped, and a change of strategy, are taken back', () => {
  const full = Array.from({ length: 100 }, (_, i) => `id${i}`);
  const emitter = emitterOf(full);
  emitter.commit({ dedupe: append('one more') }).refused();
  expect(emitter.seen().ids).toEqual(full);
  emitter.commit({ dedupe: { strategy: 'greatest', greatest: 7, reset: true } }).refused();
  expect(emitter.dedupe).toMatchObject({ strategy: 'unique', greatest: undefined });
  expect(emitter.seen().ids).toEqual(full);
});
