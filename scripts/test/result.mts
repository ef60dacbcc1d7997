import path from 'node:path';

/** What became of a layer of tests, and what is run once more. */
export interface Failure {
  readonly title: string;
  readonly error: string;
  /** The filter of its layer that runs it again, with those it stands among; empty for everything. */
  readonly again: string;
}

/** A test that this machine could not run. */
export interface NotRun {
  readonly title: string;
  /** Why; empty when the test does not say. */
  readonly reason: string;
}

export interface Result {
  readonly passed: number;
  readonly notRun: readonly NotRun[];
  readonly failures: readonly Failure[];
}

/** More failures than these have a cause, and no second try finds another. */
const mostTriedAgain = 5;
/** Where the runtime is killed, or values are random: a loss that happens once in two runs is a loss. */
const lossTests = /kill|crash|power|loss|chaos|fuzz/;

/**
 * What is worth a second try, in processes of its own: real browsers, editors and child processes on
 * two cores that others use as well lose a race now and then. Our decision; each is named at the end.
 * @returns the filters, each once
 */
export function triedAgain({ failures }: Result): readonly string[] {
  if (failures.length > mostTriedAgain) return [];
  const again = failures.map((failure) => failure.again);
  return [...new Set(again)].filter((filter) => !lossTests.test(filter));
}

export interface Settled extends Result {
  /** Those that passed only when they were run again. */
  readonly secondTry: readonly Failure[];
}

/**
 * Takes a second try in: a test that passed in it has passed. What fails only the second time passed
 * the first time.
 * @param filters what was run again
 */
export function settle(first: Result, filters: readonly string[], second: Result): Settled {
  const failedAgain = new Set(second.failures.map(({ title }) => title));
  const hasPassed = ({ again, title }: Failure): boolean =>
    second.passed > 0 && filters.includes(again) && !failedAgain.has(title);
  const secondTry = first.failures.filter(hasPassed);
  return {
    passed: first.passed + secondTry.length,
    notRun: first.notRun,
    failures: first.failures.filter((failure) => !hasPassed(failure)),
    secondTry,
  };
}

export function add(one: Result, other: Result): Result {
  return {
    passed: one.passed + other.passed,
    notRun: [...one.notRun, ...other.notRun],
    failures: [...one.failures, ...other.failures],
  };
}

export const nothing: Result = { passed: 0, notRun: [], failures: [] };

/** A test that failed. A layer that cannot run (no browser, no editor) counts as one, never as not run. */
export function oneFailure(title: string, error: string, again = ''): Result {
  return { ...nothing, failures: [{ title, error, again }] };
}

/** `N passed, N failed`, and `, N not run` where there are any. */
export function line({ passed, failures, notRun }: Result): string {
  const rest = notRun.length > 0 ? `, ${notRun.length} not run` : '';
  return `${passed} passed, ${failures.length} failed${rest}`;
}

/** What is read of vitest's JSON report. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
      /** `notRun` is the reason a test gives for not running. */
      readonly meta: { readonly notRun?: string };
    }[];
  }[];
}

export function resultOf({ numPassedTests, testResults }: VitestReport): Result {
  const failures: Failure[] = [];
  const notRun: NotRun[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const again = path.relative('.', name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0 && status === 'failed') {
      failures.push({ title: again, error: message, again });
    }
    for (const { fullName, failureMessages } of failed) {
      const error = (failureMessages ?? []).join('\n');
      failures.push({ title: `${again}: ${fullName}`, error, again });
    }
    for (const { status: outcome, fullName, meta } of assertionResults) {
      if (outcome === 'passed' || outcome === 'failed') continue;
      notRun.push({ title: `${again}: ${fullName}`, reason: meta.notRun ?? '' });
    }
  }
  return { passed: numPassedTests, notRun, failures };
}
