import { expect, test } from 'vitest';
import {
  applyChange,
  emptyState,
  nothingTouched,
  shownDeliveries,
} from '../../../../src/extension/model/mirror-state.ts';
import type { Change } from '../../../../src/protocol/rpc.ts';
import * as make from '../make.ts';

function after(...changes: Change[]) {
  const state = emptyState();
  const touched = nothingTouched();
  for (const change of changes) applyChange(state, change, touched);
  return { state, touched };
}

test('a new source changes the list, a known one only its line', () => {
  const source = make.source({});
  const { state, touched } = after({ type: 'source', source });
  expect(touched.sourceList).toBe(true);
  const again = nothingTouched();
  applyChange(state, { type: 'source', source: { ...source, name: 'New' } }, again);
  expect(again).toMatchObject({ sourceList: false, sources: new Set([source.id]) });
  expect(state.sources.get(source.id)?.name).toBe('New');
});

test('events stand newest first and count once', () => {
  const first = make.event({ id: '1-0' });
  const second = make.event({ id: '2-0' });
  const { state } = after(
    { type: 'event', event: first },
    { type: 'event', event: second },
    { type: 'event', event: first },
  );
  expect(state.events.get('dc_0000001')).toEqual({ items: [second, first], total: 2 });
});

test('an older invocation does not take the place of a newer one', () => {
  const source = make.source({ last_invocation: make.invocation({ id: 'inv_2', created_at: 2 }) });
  const { state } = after(
    { type: 'source', source },
    { type: 'invocation', invocation: make.invocation({ id: 'inv_1', created_at: 1 }) },
  );
  expect(state.sources.get(source.id)?.last_invocation?.id).toBe('inv_2');
});

test('a source takes its events along', () => {
  const { state, touched } = after(
    { type: 'source', source: make.source({}) },
    { type: 'event', event: make.event({}) },
    { type: 'source.deleted', id: 'dc_0000001' },
  );
  expect([state.sources.size, state.events.size]).toEqual([0, 0]);
  expect(touched).toMatchObject({ sourceList: true, events: true });
});

test('deliveries are kept once each, newest first, and not for ever', () => {
  const { state } = after(
    ...Array.from({ length: shownDeliveries + 5 }, (_, n): Change => ({
      type: 'delivery',
      delivery: make.delivery({ id: `del_${n}`, created_at: n, status: 'pending' }),
    })),
    { type: 'delivery', delivery: make.delivery({ id: 'del_24', created_at: 24 }) },
  );
  const kept = state.deliveries.get('wh_0000001') ?? [];
  expect(kept.length).toBe(shownDeliveries);
  expect(kept[0]).toMatchObject({ id: 'del_24', status: 'delivered' });
});
