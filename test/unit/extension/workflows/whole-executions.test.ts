import { expect, test } from 'vitest';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import { nothingTouched, type Touched } from '../../../../src/extension/model/mirror-state.ts';
import { Signal } from '../../../../src/extension/signal.ts';
import { WholeExecutions } from '../../../../src/extension/workflows/whole-executions.ts';
import * as make from '../make.ts';

test('an execution is read once, and again when it has changed', async () => {
  let reads = 0;
  const client = {
    call: async () => {
      reads += 1;
      return { ...make.execution({ trace_id: `read ${reads}` }), trigger: null, steps: [] };
    },
  };
  const folder = { key: '/w/.weir', link: { ready: async () => client } };
  const key = { folder: folder as unknown as Folder, id: 'exec_1' };
  const changed = new Signal<{ folder: Folder; touched: Touched }>();
  const whole = new WholeExecutions({
    onDidChange: (listener) => changed.on(listener),
  });
  const told: string[] = [];
  whole.onDidChange.on(({ id }) => told.push(id));
  const change = (...ids: string[]): void =>
    changed.fire({
      folder: key.folder,
      touched: { ...nothingTouched(), executions: new Set(ids) },
    });

  change('exec_1');
  expect(told).toEqual([]);
  expect((await whole.of(key)).trace_id).toBe('read 1');
  expect((await whole.of(key)).trace_id).toBe('read 1');
  change('exec_1', 'exec_2');
  expect(told).toEqual(['exec_1']);
  expect(whole.last(key)?.trace_id).toBe('read 1');
  expect((await whole.of(key)).trace_id).toBe('read 2');
  expect(whole.last(key)?.trace_id).toBe('read 2');
});
