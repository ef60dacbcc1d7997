import { describe, expect, test } from 'vitest';
import { judge, parseLedger, type Entry } from '../../../scripts/test/ledger.mts';
import {
  add,
  exitCode,
  failure,
  failuresIn,
  line,
  requireAll,
  type Outcome,
  type Result,
  type State,
} from '../../../scripts/test/result.mts';
import { settle, triedAgain } from '../../../scripts/test/second-try.mts';

const one = (title: string, state: State = 'failed', suite = title): Outcome => ({
  title,
  suite,
  state,
  text: '',
  isTest: true,
});
const ended = (...outcomes: Outcome[]): Result => ({ outcomes, ended: true });
const cutOff = (...outcomes: Outcome[]): Result => ({ outcomes, ended: false });
const planned = (...titles: string[]): Entry[] =>
  titles.map((title) => ({ t: 'planned', title, suite: 'a' }));
const titles = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ title }) => title);

describe('a ledger', () => {
  const whole: Entry[] = [
    ...planned('one', 'two'),
    { t: 'passed', title: 'one', suite: 'a' },
    { t: 'not run', title: 'two', suite: 'a', text: 'zsh is not installed' },
    { t: 'ended' },
  ];

  test('of a run that ended has what its tests say', () => {
    const result = judge('unit', whole, 0);
    expect(line(result)).toBe('1 passed, 0 failed, 1 not run');
    expect(exitCode(result)).toBe(0);
  });

  test('names a test that did not run, as a failure', () => {
    const result = judge('unit', whole.toSpliced(2, 1), 0);
    expect(titles(failuresIn(result))).toEqual(['one']);
    expect(exitCode(result)).toBe(1);
  });

  test('names a suite of which nothing was heard, as a failure', () => {
    const result = judge('unit', [{ t: 'suite', suite: 'b' }, ...whole], 0);
    expect(titles(failuresIn(result))).toEqual(['b']);
  });

  test('of a suite that fell has its hook and its tests', () => {
    const entries: Entry[] = [
      ...planned('one', 'two'),
      { t: 'failed', title: 'a: beforeAll', suite: 'a', text: 'No browser.' },
      { t: 'missing', title: 'one', suite: 'a', text: 'It did not run, and gave no reason.' },
      { t: 'ended' },
    ];
    expect(line(judge('webview', entries, 1))).toBe('0 passed, 3 failed');
  });

  test('counts two tests of one title', () => {
    const entries: Entry[] = [
      ...planned('one', 'one'),
      { t: 'passed', title: 'one', suite: 'a' },
      { t: 'ended' },
    ];
    expect(line(judge('unit', entries, 0))).toBe('1 passed, 1 failed');
  });

  test('of a run that was cut off, ended otherwise or ran nothing has a failure of the layer', () => {
    const layer = ['the unit layer'];
    expect(titles(failuresIn(judge('unit', whole.slice(0, -1), 0)))).toEqual(layer);
    expect(titles(failuresIn(judge('unit', whole, 1)))).toEqual(layer);
    expect(titles(failuresIn(judge('unit', [], 0)))).toEqual(layer);
    expect(titles(failuresIn(judge('unit', [{ t: 'ended' }], 0)))).toEqual(layer);
  });

  test('is read up to the first line that is not whole', () => {
    const text = whole.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    expect(parseLedger(text)).toEqual(whole);
    expect(parseLedger(text.slice(0, -1))).toEqual(whole.slice(0, -1));
    expect(parseLedger(`{"t":"pas\n${text}`)).toEqual([]);
  });
});

test('in CI a test that did not run has failed', () => {
  const result = requireAll(ended(one('bash', 'passed'), one('zsh', 'not run')));
  expect(line(result)).toBe('1 passed, 1 failed');
});

test('a run is green only when something passed and nothing failed', () => {
  expect(exitCode(ended())).toBe(1);
  expect(exitCode(ended(one('zsh', 'not run')))).toBe(1);
  expect(exitCode(cutOff(one('a', 'passed')))).toBe(1);
  expect(exitCode(add(ended(one('a', 'passed')), ended(one('b'))))).toBe(1);
  expect(exitCode(ended(one('a', 'passed'), one('b', 'missing')))).toBe(1);
});

describe('a second try', () => {
  test('is of every suite with a failure, once', () => {
    const failed = ended(
      one('1', 'failed', 'a'),
      one('2', 'missing', 'a'),
      one('3', 'passed', 'b'),
    );
    expect(triedAgain('unit', failed)).toEqual(['a']);
  });

  test('of a run that was cut off is of the suites that did not run', () => {
    const crashed = cutOff(
      failure('the editor layer', ''),
      ...Array.from({ length: 9 }, (_, n) => one(`${n}`, 'missing', 'b')),
    );
    expect(triedAgain('editor', crashed)).toEqual(['b']);
    expect(triedAgain('editor', cutOff(failure('the editor layer', '')))).toEqual(['']);
  });

  test('is not made where something is lost, nor for failures of many suites', () => {
    const lossFiles = ['kill-9', 'store-power-cut', 'delivery-crash', 'hosts-loss', 'store-kill'];
    const losses = lossFiles.map((name) => one(name, 'failed', `test/runtime/${name}.test.ts`));
    expect(triedAgain('runtime', ended(...losses))).toEqual([]);
    expect(triedAgain('chaos', cutOff(failure('the chaos layer', '')))).toEqual([]);
    const together = Array.from({ length: 20 }, (_, n) => one(`${n}`, 'failed', 'a'));
    expect(triedAgain('unit', ended(...together))).toEqual(['a']);
    const apart = Array.from({ length: 9 }, (_, n) => one(`${n}`, 'failed', `suite ${n}`));
    expect(triedAgain('unit', ended(...apart))).toEqual([]);
  });

  test('clears what passes in it, and names it; what fails again has failed', () => {
    const settled = settle(
      ended(one('a'), one('b'), one('c', 'passed')),
      ['a', 'b'],
      ended(one('a', 'passed'), one('b')),
    );
    expect(line(settled)).toBe('2 passed, 1 failed');
    expect(titles(settled.secondTry)).toEqual(['a']);
  });

  test('decides: what fails in it has failed, whatever the first said', () => {
    const settled = settle(
      cutOff(failure('the editor layer', 'Late.'), one('one', 'failed', 'a')),
      ['a'],
      ended(one('one', 'passed', 'a'), one('two', 'failed', 'a'), one('three', 'failed', 'b')),
    );
    expect(titles(failuresIn(settled))).toEqual(['two', 'three']);
    expect(exitCode(settled)).toBe(1);
  });

  test('that was cut off clears nothing', () => {
    const second = cutOff(failure('the unit layer', 'Crashed.'), one('a', 'passed'));
    const settled = settle(ended(one('a'), one('b', 'passed')), ['a'], second);
    expect(titles(failuresIn(settled))).toEqual(['a', 'the unit layer']);
  });

  test('clears nothing that was not tried again, and no loss', () => {
    const settled = settle(
      ended(one('kill-9'), one('other'), one('a')),
      ['a'],
      ended(one('a', 'passed'), one('other', 'passed'), one('kill-9', 'passed')),
    );
    expect(titles(failuresIn(settled))).toEqual(['kill-9', 'other']);
  });

  test('without a test that the first one had has failed', () => {
    const first = ended(one('one', 'passed', 'a'), one('two', 'failed', 'a'));
    const settled = settle(first, ['a'], ended(one('two', 'passed', 'a')));
    expect(titles(failuresIn(settled))).toEqual(['one']);
  });
});
