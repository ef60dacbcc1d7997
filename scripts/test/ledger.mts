/**
 * The ledger of a layer: a file of JSON lines that a test run writes as it goes, so that a run that is cut off still shows
 * which tests exist and which of them ran.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { failure, isFailure, type Outcome, type Result, type State } from './result.mts';

export type Entry =
  /** A suite that will run. It has at least one test. */
  | { readonly t: 'suite'; readonly suite: string }
  /** A test that exists. */
  | { readonly t: 'planned'; readonly title: string; readonly suite: string }
  | {
      readonly t: State;
      readonly title: string;
      readonly suite: string;
      readonly text?: string | undefined;
    }
  /** The last entry of a run that came to its end. */
  | { readonly t: 'ended' };

/** Appends at once: the process may be killed after any test. */
export function ledgerAt(file: string): (entry: Entry) => void {
  return (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/**
 * Reads a layer's ledger. A missing file is a run that wrote nothing.
 * @param code how the run's process ended
 */
export function readLedger(layer: string, file: string, code: number): Result {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return judge(layer, parseLedger(text), code);
}

/** Returns the entries up to the first line that is not whole: a killed process leaves half of one. */
export function parseLedger(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      entries.push(JSON.parse(line) as Entry);
    } catch {
      break;
    }
  }
  return entries;
}

/**
 * Counts every test that exists exactly once: as its entry says, else as missing. A run that did not come to its end, ended with
 * another code than 0 or ran no test has failed itself, whatever its tests did.
 */
export function judge(layer: string, entries: readonly Entry[], code: number): Result {
  const planned: { title: string; suite: string }[] = [];
  const reported: Outcome[] = [];
  const suites = new Set<string>();
  let ended = false;
  const [plannedName, reportedName] = [numbered(), numbered()];
  for (const entry of entries) {
    if (entry.t === 'ended') ended = true;
    else if (entry.t === 'suite') suites.add(entry.suite);
    else if (entry.t === 'planned') {
      planned.push({ title: plannedName(entry.title), suite: entry.suite });
    } else {
      const { t: state, suite, text = '' } = entry;
      reported.push({ title: reportedName(entry.title), suite, state, text, isTest: true });
    }
  }
  const byTitle = new Map(reported.map((outcome) => [outcome.title, outcome]));
  const tests = new Set(planned.map(({ title }) => title));
  const text = ended ? 'It did not run.' : 'The run ended before this test did.';
  const outcomes = planned.map(
    ({ title, suite }): Outcome =>
      byTitle.get(title) ?? { title, suite, state: 'missing', text, isTest: true },
  );
  for (const outcome of reported) {
    // A hook, or a file that does not load. A test that passed without being planned is still a test.
    if (!tests.has(outcome.title))
      outcomes.push({ ...outcome, isTest: outcome.state !== 'failed' });
  }
  const heard = new Set(outcomes.map(({ suite }) => suite));
  for (const suite of suites) {
    if (!heard.has(suite)) outcomes.push({ ...failure(suite, text, suite), state: 'missing' });
  }
  const fault = faultOf(outcomes, ended, code);
  if (fault !== undefined) outcomes.push(failure(`the ${layer} layer`, fault));
  return { outcomes, ended };
}

function faultOf(outcomes: readonly Outcome[], ended: boolean, code: number): string | undefined {
  if (!ended) return `The run did not come to its end: exit code ${code}.`;
  if (code !== 0 && !outcomes.some(isFailure)) return `The run ended with exit code ${code}.`;
  if (!outcomes.some(({ isTest }) => isTest)) return 'No test ran.';
  return undefined;
}

/** Names the second test of the same title apart. */
function numbered(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  };
}
