/** Executions that are run once more: which, and one after the other until somebody cancels. */
import type {
  Execution,
  Invocation,
  Params,
  Result,
  WholeExecution,
} from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { Caller } from './connection.ts';
import { allPages } from './pages.ts';

type Call = Caller['call'];

/** How many executions of a workflow are read. */
const mostLookedAt = 10_000;

/** All that are kept of a workflow, newest first. @param id or name slug */
export function executionsOf(call: Call, id: string): Promise<Execution[]> {
  return allPages((page) => call('executions.list', { id, ...page }), mostLookedAt);
}

/** Whether a run or an execution ended so that somebody should look at it, and may try it again. */
export function hasFailed({ status }: Pick<Execution | Invocation, 'status'>): boolean {
  return status === 'failed' || status === 'crashed' || status === 'timed_out';
}

/** Whether it has neither ended nor failed yet: it runs, or it waits. */
export function isUnfinished({ status }: Pick<Execution, 'status'>): boolean {
  return status === 'queued' || status === 'running' || status === 'paused';
}

/**
 * An execution with the replays of it and of its replays, which decide together whether a failure was made good:
 * `good` when the newest has succeeded, `pending` while it runs or waits, `open` when a failure is left.
 */
export interface RetryChain {
  readonly state: 'good' | 'pending' | 'open';
  /** The execution that a retry repeats. */
  readonly retried: Execution;
}

/**
 * The chains with a failure, by the id of each execution in them. Tests are in none, because a test makes nothing good.
 * @param newestFirst all executions of a workflow
 */
export function retryChains(newestFirst: readonly Execution[]): ReadonlyMap<string, RetryChain> {
  const byId = new Map(newestFirst.map((one) => [one.id, one]));
  const links = new Map<string, Execution[]>();
  for (const one of newestFirst) {
    if (one.test) continue;
    const root = rootOf(one, byId);
    const known = links.get(root.id);
    if (known === undefined) links.set(root.id, [one]);
    else known.push(one);
  }
  const chains = new Map<string, RetryChain>();
  for (const chain of links.values()) {
    const [newest] = chain;
    const newestFailure = chain.find(hasFailed);
    if (newest === undefined || newestFailure === undefined) continue;
    const root = chain.at(-1) ?? newest;
    const state =
      newest.status === 'succeeded' ? 'good' : isUnfinished(newest) ? 'pending' : 'open';
    // A retry can begin at a failed step only where one has failed.
    const retried = hasFailed(root) ? root : newestFailure;
    for (const { id } of chain) chains.set(id, { state, retried });
  }
  return chains;
}

/** The oldest kept execution that this one repeats; an original returns itself. */
function rootOf(one: Execution, byId: ReadonlyMap<string, Execution>): Execution {
  let root = one;
  for (let of = one.replay_of; of !== null;) {
    const before = byId.get(of);
    if (before === undefined) break;
    if (!before.test) root = before;
    of = before.replay_of;
  }
  return root;
}

/**
 * The failures that no retry made good, oldest first: of each chain of retries the execution that another retry
 * repeats.
 * @param newestFirst all executions of a workflow
 * @param since epoch ms
 */
export function failedSince(newestFirst: readonly Execution[], since: number): Execution[] {
  const chains = retryChains(newestFirst);
  return newestFirst
    .filter((one) => {
      const chain = chains.get(one.id);
      return chain?.state === 'open' && chain.retried.id === one.id && one.created_at >= since;
    })
    .toReversed();
}

/** Executions that are neither replays nor tests, newest first. */
export function originals(newestFirst: readonly Execution[]): Execution[] {
  return newestFirst.filter((one) => !one.test && one.cause !== 'replay');
}

/**
 * Starts a replay and resolves at its end, or when it is paused. When `signal` is aborted it rejects with `cancelled`,
 * but a replay that has begun continues, because it may have had effects already.
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

/** The executions as they are now: one that was paused when its retry returned may have ended since. */
export function asTheyAreNow(
  call: Call,
  retried: readonly WholeExecution[],
): Promise<WholeExecution[]> {
  return Promise.all(
    retried.map(async (one) =>
      isUnfinished(one) ? await call('executions.get', { id: one.id }).catch(() => one) : one,
    ),
  );
}

/**
 * How retries ended, such as "2 succeeded, 1 failed again, 1 waits"; empty for none. Only an execution that has ended
 * counts as a success or a failure.
 */
export function retriesInWords(retried: readonly Pick<Execution, 'status'>[]): string {
  const count = (fits: (one: Pick<Execution, 'status'>) => boolean): number =>
    retried.filter(fits).length;
  const waiting = count(({ status }) => status === 'paused');
  const running = count(({ status }) => status === 'queued' || status === 'running');
  const said: readonly (readonly [number, string])[] = [
    [count(({ status }) => status === 'succeeded'), 'succeeded'],
    [count(hasFailed), 'failed again'],
    [waiting, waiting === 1 ? 'waits' : 'wait'],
    [running, running === 1 ? 'is running' : 'are running'],
    [count(({ status }) => status === 'cancelled' || status === 'dropped'), 'cancelled'],
  ];
  return said
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ');
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
  given: Pick<Params<'executions.test'>, 'workflow_path' | 'default_pins' | 'mode'> & {
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
