/** The outcomes of a test layer, and how they are counted. */

/** `missing`: the test exists and did not run, which counts as failed. */
export type State = 'passed' | 'failed' | 'missing' | 'not run';

/** One test, or something around tests that failed: a hook, a file that does not load, a process that crashed. */
export interface Outcome {
  readonly title: string;
  /** The filter that runs the test again with its neighbors: a file or an editor suite; empty for the whole layer. */
  readonly suite: string;
  readonly state: State;
  /** The error of a failed test, the reason of one that did not run, else empty. */
  readonly text: string;
  readonly isTest: boolean;
}

export interface Result {
  readonly outcomes: readonly Outcome[];
  /** Whether the run came to its end. A run that was cut off clears no earlier failure. */
  readonly ended: boolean;
}

export const nothing: Result = { outcomes: [], ended: true };

export function add(one: Result, other: Result): Result {
  return {
    outcomes: [...one.outcomes, ...other.outcomes],
    ended: one.ended && other.ended,
  };
}

export function isFailure({ state }: Outcome): boolean {
  return state === 'failed' || state === 'missing';
}

export function failuresIn({ outcomes }: Result): readonly Outcome[] {
  return outcomes.filter(isFailure);
}

/** A failure of something around the tests. */
export function failure(title: string, text: string, suite = ''): Outcome {
  return { title, suite, state: 'failed', text, isTest: false };
}

/** The rule of CI, where every program is installed: a test that did not run has failed. */
export function requireAll({ outcomes, ended }: Result): Result {
  const required = outcomes.map((outcome): Outcome => {
    if (outcome.state !== 'not run') return outcome;
    return { ...outcome, state: 'failed', text: `CI runs every test. ${outcome.text}` };
  });
  return { outcomes: required, ended };
}

/** Zero only when something passed and nothing failed. */
export function exitCode(result: Result): 0 | 1 {
  const hasPassed = result.outcomes.some(({ state }) => state === 'passed');
  return result.ended && hasPassed && failuresIn(result).length === 0 ? 0 : 1;
}

/** `N passed, N failed`, and `, N not run` where there are any. */
export function line(result: Result): string {
  const count = (wanted: State): number =>
    result.outcomes.filter(({ state }) => state === wanted).length;
  const notRun = count('not run');
  const rest = notRun > 0 ? `, ${notRun} not run` : '';
  return `${count('passed')} passed, ${failuresIn(result).length} failed${rest}`;
}
