/** The report counts every test once and never too well, whatever becomes of two runs of any suites. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, parseLedger } from '../../../scripts/test/ledger.mts';
import { exitCode, failuresIn, line, type Result } from '../../../scripts/test/result.mts';
import { settle, triedAgain } from '../../../scripts/test/second-try.mts';
import { holds } from '../../support/holds.ts';

const states = ['passed', 'passed', 'passed', 'failed', 'not run', 'missing'] as const;
/** One run of a suite: of each test what it comes to, and whether a hook before them throws. */
const suiteRun = fc.record({
  tests: fc.array(fc.constantFrom(...states), { minLength: 3, maxLength: 3 }),
  hookFails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  /** Whether its file loads; when not, its tests are not known. */
  loads: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
});
type SuiteRun = typeof suiteRun extends fc.Arbitrary<infer T> ? T : never;

const run = fc.record({
  suites: fc.array(suiteRun, { minLength: 4, maxLength: 4 }),
  /** The process is killed when so much of its ledger is written; above 1 it comes to its end. */
  killedAt: fc.oneof(fc.constant(2), fc.double({ min: 0, max: 1, noNaN: true })),
  code: fc.constantFrom(0, 0, 0, 1),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const names = ['a.test.ts', 'b.test.ts', 'kill-9.test.ts', 'd.test.ts'];
const titleOf = (suite: string, at: number): string => `${suite}: test ${at}`;

/** What a runner would write, and what each test that was reported came to. */
function play({ suites, killedAt }: Run, asked: readonly string[]) {
  const lines: object[] = asked.map((suite) => ({ t: 'suite', suite }));
  for (const suite of asked) {
    const { tests, hookFails, loads } = suites[names.indexOf(suite)] as SuiteRun;
    if (!loads) {
      lines.push({ t: 'failed', title: suite, suite, text: 'It does not load.' });
      continue;
    }
    for (const at of tests.keys()) lines.push({ t: 'planned', title: titleOf(suite, at), suite });
    if (hookFails) lines.push({ t: 'failed', title: `${suite}: beforeAll`, suite });
    for (const [at, t] of tests.entries()) {
      if (t !== 'missing' && !hookFails) lines.push({ t, title: titleOf(suite, at), suite });
    }
  }
  lines.push({ t: 'ended' });
  const whole = lines.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const text = killedAt > 1 ? whole : whole.slice(0, Math.floor(killedAt * whole.length));
  const passed = new Set<string>();
  for (const entry of parseLedger(text)) if (entry.t === 'passed') passed.add(entry.title);
  return { text, passed, ended: text === whole };
}

const titlesOf = (result: Result, state: string): string[] =>
  result.outcomes.filter((one) => one.state === state).map(({ title }) => title);

test('nothing that failed in the last try is green, and every test is counted once', async () => {
  await holds(
    fc.asyncProperty(run, run, async (one, two) => {
      const first = play(one, names);
      const result = judge('unit', parseLedger(first.text), one.code);
      const again = triedAgain('unit', result);
      const asked = again.includes('') ? names : names.filter((name) => again.includes(name));
      const second = again.length > 0 ? play(two, asked) : undefined;
      const settled =
        second === undefined
          ? result
          : settle(result, again, judge('unit', parseLedger(second.text), two.code));
      const passed = titlesOf(settled, 'passed');
      const counted = settled.outcomes.map(({ title }) => title);

      expect(new Set(counted).size).toBe(counted.length);
      for (const title of passed) {
        const suite = title.split(':')[0] as string;
        const passedLast = second !== undefined && asked.includes(suite) && second.ended;
        // Passed in the last try that ran it to the end, else in the first.
        expect(passedLast ? second.passed : first.passed).toContain(title);
      }
      for (const failed of failuresIn(result)) {
        if (second?.ended === true && !/kill/.test(failed.suite)) continue;
        expect(failuresIn(settled).map(({ title }) => title)).toContain(failed.title);
      }
      const last = second ?? first;
      const lastSuites = second === undefined ? names : asked;
      const lastRun = second === undefined ? one : two;
      const allPassed = lastSuites.every((suite) => {
        const { tests, hookFails, loads } = lastRun.suites[names.indexOf(suite)] as SuiteRun;
        return loads && !hookFails && tests.every((t) => t === 'passed' || t === 'not run');
      });
      if (!last.ended || !allPassed || lastRun.code !== 0) expect(exitCode(settled)).toBe(1);
      expect(exitCode(settled)).toBe(
        passed.length > 0 && failuresIn(settled).length === 0 && settled.ended ? 0 : 1,
      );
      expect(line(settled)).toMatch(/^\d+ passed, \d+ failed(, \d+ not run)?$/);
    }),
    2000,
  );
});
