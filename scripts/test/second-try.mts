/** What is run once more, and what its result counts for. */
import { failuresIn, isFailure, type Outcome, type Result } from './result.mts';

/** More suites with failures than these have one cause, and a second try finds no other. Tests of one suite fall together. */
const mostSuitesAgain = 8;
/** Where the runtime is killed, or values are random: a loss that happens once in two runs is a loss. */
const lossTests = /kill|crash|power|loss|chaos|fuzz/;

/**
 * Returns the suites worth a second try, in processes of their own: real browsers, editors and child processes on two cores
 * that others use as well lose a race now and then. Our decision; each is named at the end.
 * @returns filters of the layer, each once; an empty one stands for the whole layer
 */
export function triedAgain(layer: string, result: Result): readonly string[] {
  const failures = failuresIn(result);
  if (lossTests.test(layer)) return [];
  const failed = failures.filter(({ state }) => state === 'failed');
  if (new Set(failed.map(({ suite }) => suite)).size > mostSuitesAgain) return [];
  const suites = [...new Set(failures.map(({ suite }) => suite))];
  const named = suites.filter((suite) => suite !== '');
  return named.length > 0 ? named.filter((suite) => !lossTests.test(suite)) : suites;
}

export interface Settled extends Result {
  /** The failures of the first try that the second one cleared. */
  readonly secondTry: readonly Outcome[];
}

/**
 * Joins two tries, of which the second decides: its failures count, whatever the first try said. It clears a failure of the first
 * only when it came to its end, was asked for that suite, and the test passed in it.
 * @param suites what was run again
 */
export function settle(first: Result, suites: readonly string[], second: Result): Settled {
  const again = new Map(takeIn(second).map((outcome) => [outcome.title, outcome]));
  const suitesAgain = new Set(second.outcomes.map(({ suite }) => suite));
  const ranAgain = (suite: string): boolean => suites.includes(suite) || suites.includes('');
  const isAsked = (suite: string): boolean => !lossTests.test(suite) && ranAgain(suite);
  const covers = (suite: string): boolean =>
    second.ended &&
    (suite === ''
      ? failuresIn(first).every((one) => one.suite === '' || isAsked(one.suite))
      : isAsked(suite) && suitesAgain.has(suite));

  const outcomes: Outcome[] = [];
  const secondTry: Outcome[] = [];
  for (const one of first.outcomes) {
    const two = again.get(one.title);
    again.delete(one.title);
    if (two !== undefined && (isFailure(two) || !isFailure(one))) outcomes.push(two);
    else if (isFailure(one) && covers(one.suite) && (two?.state === 'passed' || !one.isTest)) {
      secondTry.push(one);
      if (two !== undefined) outcomes.push(two);
    } else if (two === undefined && one.isTest && second.ended && ranAgain(one.suite)) {
      outcomes.push(missingIn(one));
    } else outcomes.push(one);
  }
  outcomes.push(...again.values());
  return { outcomes, ended: second.ended, secondTry };
}

/** A try that was cut off has passed nothing. */
function takeIn({ outcomes, ended }: Result): readonly Outcome[] {
  if (ended) return outcomes;
  const text = 'The second try did not come to its end.';
  return outcomes.map((outcome) =>
    outcome.state === 'passed' ? { ...outcome, state: 'missing', text } : outcome,
  );
}

/** A test of a suite that ran again, without it. */
function missingIn(one: Outcome): Outcome {
  if (isFailure(one)) return one;
  return { ...one, state: 'missing', text: 'It did not run in the second try.' };
}
