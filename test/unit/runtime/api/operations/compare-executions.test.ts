import { describe, expect, test } from 'vitest';
import type { WholeExecution } from '../../../../../src/protocol/catalogue.ts';
import {
  compareExecutions,
  valueDifferences,
} from '../../../../../src/runtime/api/operations/compare-executions.ts';
import * as make from '../../../extension/make.ts';

function whole(part: Partial<WholeExecution>): WholeExecution {
  const rest = { trigger: null, steps: [], sends: [], requests: [], response: null };
  return { ...make.execution({}), ...rest, ...part };
}

describe('of values', () => {
  test.each([
    [1, 1, []],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [{ a: 1 }, { a: 2 }, [{ path: 'a', before: 1, after: 2 }]],
    [{ a: 1 }, {}, [{ path: 'a', before: 1, after: null }]],
    [{}, { 'a b': 1 }, [{ path: '["a b"]', before: null, after: 1 }]],
    [[1, 2], [1], [{ path: '[1]', before: 2, after: null }]],
    [{ a: [] }, { a: {} }, [{ path: 'a', before: [], after: {} }]],
    [
      { a: { b: [{ c: 1 }] } },
      { a: { b: [{ c: '1' }] } },
      [{ path: 'a.b[0].c', before: 1, after: '1' }],
    ],
  ])('%j and %j', (before, after, differences) => {
    expect(valueDifferences(before, after)).toEqual(differences);
  });
});

test('times, logs and stacks do not count', () => {
  const error = { name: 'Error', message: 'no' };
  const before = whole({ steps: [make.stepRun({ error: { ...error, stack: 'a' } })] });
  const step = make.stepRun({ error: { ...error, stack: 'b' }, started_at: 9, ended_at: 99 });
  const after = whole({ id: 'exec_9', started_at: 5, test: true, steps: [step] });
  expect(compareExecutions(before, after)).toEqual({ same: true, differences: [], steps: [] });
});

test('of several runs of a step the last counts, and those of one side are told', () => {
  const before = whole({
    steps: [
      make.stepRun({ path: 'a', status: 'failed' }),
      make.stepRun({ path: 'a', attempt: 2, return_value: 1 }),
      make.stepRun({ path: 'b' }),
    ],
  });
  const after = whole({
    status: 'failed',
    steps: [make.stepRun({ path: 'a', return_value: 2 }), make.stepRun({ path: 'c' })],
  });
  expect(compareExecutions(before, after)).toMatchObject({
    same: false,
    differences: [{ path: 'status', before: 'succeeded', after: 'failed' }],
    steps: [
      { path: 'a', differences: [{ path: '$return_value', before: 1, after: 2 }] },
      { path: 'b', before: 'succeeded', after: null },
      { path: 'c', before: null, after: 'succeeded' },
    ],
  });
});
