import { expect, test } from 'vitest';
import { componentOomScore } from '../../../../src/runtime/processes/oom-score.ts';

test.for<[string, number]>([
  ['0\n', 500],
  // As a service manager or an orchestrator sets it.
  ['-997\n', -497],
  ['300\n', 800],
  ['1000\n', 1000],
  ['', 500],
])('a component whose runtime has %j gets %j', ([own, expected]) => {
  expect(componentOomScore(own)).toBe(expected);
});
