import { describe, expect, test } from 'vitest';
import {
  oneFailure,
  line,
  nothing,
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
