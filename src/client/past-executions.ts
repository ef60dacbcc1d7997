/** Executions that are run once more: which, and one after the other until somebody cancels. */
import type { Execution, Params, Result, WholeExecution } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { Caller } from './connection.ts';
import { allPages } from './pages.ts';

type Call = Caller['call'];

/** So many of a workflow are looked at. */
const mostLookedAt = 10_000;

/** All that are kept of a workflow, newest first. @param id or name slug */
export function executionsOf(call: Call, id: string): Promise<Execution[]> {
  return allPages((page) => call('executions.list', { id, ...page }), mostLookedAt);
}

/** One that may be worth another try. */
export function hasFailed({ status }: Pick<Execution, 'status'>): boolean {
  return status === 'failed' || status === 'crashed' || status === 'timed_out';
}

/**
 * Those that failed and were not made good since, oldest first. Tests are not among them, as nothing of them went out, nor
 * replays, as what they repeat is.
 * @param newestFirst all of a workflow
 * @param since epoch ms
 */
export function failedSince(newestFirst: readonly Execution[], since: number): Execution[] {
  const origins = new Map(newestFirst.map((one) => [one.id, one.replay_of]));
  const madeGood = new Set<string>();
  for (const one of newestFirst) {
    if (one.test || hasFailed(one)) continue;
    for (let of = one.replay_of; of !== null && !madeGood.has(of); of = origins.get(of) ?? null) {
      madeGood.add(of);
    }
  }
  return originals(newestFirst)
    .filter((one) => one.created_at >= since && hasFailed(one) && !madeGood.has(one.id))
    .toReversed();
}

/** What came of itself: no replays and no tests, newest first. */
export function originals(newestFirst: readonly Execution[]): Execution[] {
  return newestFirst.filter((one) => !one.test && one.cause !== 'replay');
}

/**
 * Starts a replay and resolves at its end, or when it is paused. Once `signal` is aborted it rejects with
 * `cancelled`, and what has begun goes on: it may have told others already.
 */
export async function replayToEnd(
  call: Call,
  given: Omit<Params<'executions.replay'>, 'wait'>,
  signal: AbortSignal,
): Promise<WholeExecution> {
  signal.throwIfAborted();
  const { id } = await call('executions.replay', given);
  return call('executions.get', { id, wait: true }, { signal });
}

/** Whether an error is about the one execution, which cannot be replayed so: others may be. */
export function isOfOneReplay(error: unknown): error is WeirError {
  return WeirError.is(error, 'bad_input') || WeirError.is(error, 'conflict');
}

export type Comparison = Result<'executions.compare'>;

/**
 * Runs the trigger of an execution on the files as they are, as a test, and resolves with what differs. Once `signal`
 * is aborted the test is cancelled, and it rejects with `cancelled`.
 * @param workflow_path absolute path of the workflow's folder
 */
export async function replayOnFiles(
  call: Call,
  given: Pick<Params<'executions.test'>, 'workflow_path' | 'default_pins'> & {
    readonly execution: string;
  },
  signal: AbortSignal,
): Promise<Comparison & Pick<Result<'executions.test'>, 'warnings'>> {
  const { execution } = given;
  const { id, warnings } = await call('executions.test', given, { signal });
  try {
    await call('executions.get', { id, wait: true }, { signal });
  } catch (error) {
    if (signal.aborted) await cancelAtOnce(call, id);
    throw error;
  }
  const comparison = await call('executions.compare', { id: execution, with: id }, { signal });
  return { ...comparison, warnings };
}

/** Asked again it ends with the process of the step that runs. One that has ended already is as good. */
async function cancelAtOnce(call: Call, id: string): Promise<void> {
  const own = { signal: new AbortController().signal };
  for (let asked = 0; asked < 2; asked += 1) {
    await call('executions.cancel', { id }, own).catch(() => undefined);
  }
}
