import { expect, test } from 'vitest';
import {
  applyChange,
  firstEvents,
  firstExecutions,
  firstRuns,
  keptDeliveries,
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
  expect(touched.emitterList).toBe(true);
  const again = nothingTouched();
  applyChange(state, { type: 'source', source: { ...source, name: 'New' } }, again);
  expect(again).toMatchObject({ emitterList: false, emitters: new Set([source.id]) });
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
  expect(state.events.get('dc_0000001')).toMatchObject({ items: [second, first], total: 2 });
});

test('an older invocation does not take the place of a newer one', () => {
  const source = make.source({ last_invocation: make.invocation({ id: 'inv_2', created_at: 2 }) });
  const { state } = after(
    { type: 'source', source },
    { type: 'invocation', invocation: make.invocation({ id: 'inv_1', created_at: 1 }) },
  );
  expect(state.sources.get(source.id)?.last_invocation?.id).toBe('inv_2');
});

test('deleting a source removes its events', () => {
  const { state, touched } = after(
    { type: 'source', source: make.source({}) },
    { type: 'event', event: make.event({}) },
    { type: 'source.deleted', id: 'dc_0000001' },
  );
  expect([state.sources.size, state.events.size]).toEqual([0, 0]);
  expect(touched).toMatchObject({ emitterList: true, events: new Set(['dc_0000001']) });
});

test('deliveries are kept once each, newest first, up to a limit', () => {
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

test('an exhausted delivery stays, however many were delivered since', () => {
  const lost = make.delivery({ id: 'del_lost', status: 'exhausted' });
  const newer = Array.from({ length: 30 }, (_, n) =>
    make.delivery({ id: `del_${n}`, created_at: n + 1 }),
  );
  const kept = keptDeliveries([lost, ...newer]);
  expect(kept.length).toBe(shownDeliveries + 1);
  expect(kept.at(-1)).toBe(lost);
});

test('an emitter that never rests keeps no more events than were asked for', () => {
  const many = Array.from({ length: 3000 }, (_, n): Change => ({
    type: 'event',
    event: make.event({ id: `${n}-0` }),
  }));
  const { state } = after(...many);
  const known = state.events.get('dc_0000001');
  expect(known?.total).toBe(3000);
  expect(known?.items.length).toBeLessThanOrEqual(firstEvents + 1000);
  expect(known?.items[0]?.id).toBe('2999-0');
});

test('an event that arrives late is put where it belongs', () => {
  const { state } = after(
    ...['3-0', '1-0', '2-1', '2-0'].map((id): Change => ({
      type: 'event',
      event: make.event({ id }),
    })),
  );
  expect(state.events.get('dc_0000001')?.items.map(({ id }) => id)).toEqual([
    '3-0',
    '2-1',
    '2-0',
    '1-0',
  ]);
});

test('the change does not say which events were deleted, so all are read again', () => {
  const { touched } = after({ type: 'events.deleted', source_id: 'dc_0000001' });
  expect(touched.stale).toEqual(new Set(['dc_0000001']));
});

test('runs are kept up to date once they were asked for: the newest, each as it is now', () => {
  const state = emptyState();
  const tell = (id: number, part = {}) =>
    applyChange(
      state,
      { type: 'invocation', invocation: make.invocation({ id: `inv_${id}`, ...part }) },
      nothingTouched(),
    );
  tell(1);
  expect(state.invocations.size).toBe(0);
  state.invocations.set('dc_0000001', { items: [], total: 0, wanted: firstRuns });
  for (let n = 1; n <= firstRuns + 3; n++) tell(n, { status: 'running' });
  tell(11, { status: 'failed' });
  const { items: runs, total } = state.invocations.get('dc_0000001') ?? { items: [], total: 0 };
  expect(runs.map(({ id }) => id).slice(0, 3)).toEqual(['inv_13', 'inv_12', 'inv_11']);
  expect([runs.length, total]).toEqual([firstRuns, firstRuns + 3]);
  tell(1, { status: 'failed' });
  expect(state.invocations.get('dc_0000001')).toMatchObject({ total, items: runs });
  expect(runs[2]?.status).toBe('failed');
});

test('failed runs are kept, newest first, however many go well after them', () => {
  const failed = make.invocation({ id: 'inv_9', status: 'failed' });
  const crashed = make.invocation({ id: 'inv_10', status: 'crashed' });
  const well = Array.from({ length: 40 }, (_, n): Change => ({
    type: 'invocation',
    invocation: make.invocation({ id: `inv_${n + 11}` }),
  }));
  const { state } = after(
    { type: 'invocation', invocation: failed },
    { type: 'invocation', invocation: crashed },
    ...well,
  );
  expect(state.failures.get('dc_0000001')).toEqual([crashed, failed]);
  // Run again after the crash, it went well.
  const change: Change = { type: 'invocation', invocation: make.invocation({ id: 'inv_10' }) };
  applyChange(state, change, nothingTouched());
  expect(state.failures.get('dc_0000001')).toEqual([failed]);
});

test('executions stand newest first, each once as it is last, and no more than are wanted', () => {
  const first = make.execution({ id: 'exec_9', status: 'running' });
  const ended = make.execution({ id: 'exec_9' });
  const second = make.execution({ id: 'exec_10' });
  const { state, touched } = after(
    { type: 'workflow', workflow: make.workflow({}) },
    { type: 'execution', execution: first },
    { type: 'execution', execution: second },
    { type: 'execution', execution: ended },
    // One that was resumed long after it was read.
    { type: 'execution', execution: make.execution({ id: 'exec_1' }) },
  );
  const known = state.executions.get('p_0000001');
  expect(known).toMatchObject({ items: [second, ended], total: 2 });
  expect(touched).toMatchObject({ workflowList: true, workflows: new Set(['p_0000001']) });
  expect(touched.executions).toEqual(new Set(['exec_9', 'exec_10', 'exec_1']));
  for (let n = 11; n < 11 + firstExecutions; n++) {
    applyChange(
      state,
      { type: 'execution', execution: make.execution({ id: `exec_${n}` }) },
      nothingTouched(),
    );
  }
  expect(known).toMatchObject({ total: 2 + firstExecutions });
  expect(known?.items).toHaveLength(firstExecutions);
  expect(known?.items[0]?.id).toBe(`exec_${10 + firstExecutions}`);
});

test('deleting a workflow removes its executions and its events', () => {
  const { state, touched } = after(
    { type: 'workflow', workflow: make.workflow({}) },
    { type: 'execution', execution: make.execution({}) },
    { type: 'workflow.deleted', id: 'p_0000001' },
  );
  expect([state.workflows.size, state.executions.size]).toEqual([0, 0]);
  expect(touched).toMatchObject({ workflowList: true, workflows: new Set(['p_0000001']) });
});
