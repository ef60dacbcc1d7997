import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  line,
  nothing,
  oneFailure,
  resultOf,
  settle,
  triedAgain,
  type Failure,
  type Result,
} from '../../../scripts/test/result.mts';

const failure = (title: string, again: string): Failure => ({ title, error: 'Boom.', again });
const result = (passed: number, ...failures: Failure[]): Result => ({
  ...nothing,
  passed,
  failures,
});

describe('a second try', () => {
  test('of every file with a failure, once', () => {
    const two = [failure('a.test.ts: one', 'a.test.ts'), failure('a.test.ts: two', 'a.test.ts')];
    expect(triedAgain(result(10, ...two))).toEqual(['a.test.ts']);
  });

  test('there is none where something is lost, nor for many failures', () => {
    const lossFiles = ['kill-9', 'store-power-cut', 'delivery-crash', 'hosts-loss', 'store-kill'];
    const losses = lossFiles.map((name) => failure(name, `test/runtime/${name}.test.ts`));
    expect(triedAgain(result(10, ...losses))).toEqual([]);
    const random = [failure('any bytes', 'test/fuzz/raw-http.test.ts')];
    expect(triedAgain(result(10, ...random))).toEqual([]);
    const many = Array.from({ length: 6 }, (_, n) => failure(`test ${n}`, 'a.test.ts'));
    expect(triedAgain(result(10, ...many))).toEqual([]);
  });

  test('what passes in it has passed, and is named; what fails again has failed', () => {
    const [first, second] = [failure('one', 'a.test.ts'), failure('two', 'b.test.ts')];
    const settled = settle(
      result(10, first, second),
      ['a.test.ts', 'b.test.ts'],
      result(3, second),
    );
    expect(settled).toEqual({ ...result(11, second), secondTry: [first] });
    expect(line(settled)).toBe('11 passed, 1 failed');
  });

  test('a test that was not tried again has failed, whatever else passed', () => {
    const lost = failure('lost', 'kill-9.test.ts');
    const other = failure('other', 'a.test.ts');
    const settled = settle(result(10, lost, other), ['a.test.ts'], result(3));
    expect(settled.failures).toEqual([lost]);
  });

  test('one that could not run settles nothing', () => {
    const first = failure('one', 'a.test.ts');
    const settled = settle(
      result(10, first),
      ['a.test.ts'],
      oneFailure('the layer', 'No browser.'),
    );
    expect(settled.failures).toEqual([first]);
  });
});

test('what a machine could not run is named with the reason, and is neither passed nor failed', () => {
  const one = (fullName: string, status: string, meta: object = {}) => ({
    fullName,
    status,
    meta,
    failureMessages: status === 'failed' ? ['Boom.'] : [],
  });
  const settled = resultOf({
    numPassedTests: 1,
    testResults: [
      {
        name: path.resolve('test/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          one('bash completes', 'passed'),
          one('zsh completes', 'skipped', { notRun: 'zsh is not installed' }),
          one('later', 'todo'),
          one('fish completes', 'failed'),
        ],
      },
    ],
  });
  expect(settled).toEqual({
    passed: 1,
    notRun: [
      { title: 'test/a.test.ts: zsh completes', reason: 'zsh is not installed' },
      { title: 'test/a.test.ts: later', reason: '' },
    ],
    failures: [
      { title: 'test/a.test.ts: fish completes', error: 'Boom.', again: 'test/a.test.ts' },
    ],
  });
  expect(line(settled)).toBe('1 passed, 1 failed, 2 not run');
});
