import { expect, test } from 'vitest';
import type { StepRun, WholeExecution } from '../../../../src/protocol/catalogue.ts';
import { dataOf } from '../../../../src/extension/builder/last-run.ts';

const run = (namespace: string, part: Partial<StepRun>): StepRun =>
  ({ namespace, exports: {}, return_value: null, props: null, ...part }) as StepRun;

const whole = {
  trigger: null,
  steps: [
    run('list', { return_value: ['pen', 'ink'], props: { on: ['not a loop'] } }),
    run('each_1', { return_value: ['PEN', 'INK'], props: { on: ['pen', 'ink'] } }),
  ],
} as unknown as WholeExecution;

test('a step of a loop reads its item, one behind the loop what it came to', () => {
  const sees = new Set(['trigger', 'list', 'each_1']);
  expect(dataOf(whole, { sees, loops: new Set(['each_1']) })['each_1']).toEqual({
    item: 'pen',
    index: 0,
  });
  expect(dataOf(whole, { sees, loops: new Set() })).toMatchObject({
    list: { $return_value: ['pen', 'ink'] },
    each_1: { $return_value: ['PEN', 'INK'] },
  });
});

test('a step sees no others', () => {
  expect(Object.keys(dataOf(whole, { sees: new Set(['list']), loops: new Set() }))).toEqual([
    'trigger',
    'list',
  ]);
});
