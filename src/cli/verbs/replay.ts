import type { Invocation, Result, WholeExecution } from '../../protocol/catalogue.ts';
import { kindOf } from '../../protocol/ids.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';
import { executionText, outcomeText, wentWell } from '../views/executions.ts';
import { hasFailed } from './executions.ts';

interface ReplayFlags {
  readonly failed?: boolean;
  readonly since?: string;
  readonly fromStep?: string;
  readonly asDeployed?: boolean;
}

type Replayed = Result<'sources.replay'>;

/** How many runs of a source are searched for those that failed. */
const mostRuns = 10_000;

export const replay: Verb = (program, cli) => {
  program
    .command('replay <source|workflow|execution> [id...]')
    .description(
      'Run the triggers of events, of runs (inv_…) or of executions (exec_…) again, as they were received',
    )
    .option('--failed', 'all runs that failed')
    .option('--since <iso>', 'all runs since then; with --failed those that failed')
    .option(
      '--from-step <step>',
      'executions: the first step that runs; results before it are kept',
    )
    .option('--as-deployed', 'executions: on what was deployed then, in place of what is now')
    .action(async (of: string, ids: string[], flags: ReplayFlags, command) => {
      const chooses = flags.failed === true || flags.since !== undefined;
      const isExecution = kindOf(of) === 'execution';
      if (isExecution && chooses) {
        throw new UsageError('Give a source or workflow with --failed or --since.');
      }
      if (!isExecution && ids.length > 0 === chooses) {
        throw new UsageError('Give the ids of events or runs, or --failed, or --since.');
      }
      const since = sinceOf(flags.since);
      await cli.connected(command, async (tools) => {
        if (isExecution) return await replayExecutions(tools, [of, ...ids], flags);
        const { id, type } = await tools.call('emitters.find', { id: of });
        const runs =
          ids.length > 0
            ? await runsOf(tools, id, ids)
            : type === 'workflow'
              ? await chosenExecutions(tools, id, since, flags.failed === true)
              : await chosenRuns(tools, id, since, flags.failed === true);
        if (type === 'workflow') return await replayExecutions(tools, runs, flags);
        if (flags.fromStep !== undefined || flags.asDeployed === true) {
          throw new UsageError('--from-step and --as-deployed are for executions of workflows.');
        }
        return await replayAll(tools, id, runs);
      });
    });
};

/** One after the other; 1 when one of them failed. */
async function replayExecutions(
  { call, out, interrupted, width }: ConnectedTools,
  ids: readonly string[],
  { fromStep, asDeployed }: ReplayFlags,
): Promise<ExitCode> {
  const how = {
    ...(fromStep !== undefined && { from_step: fromStep }),
    ...(asDeployed === true && { as_deployed: true }),
  };
  const replayed: WholeExecution[] = [];
  for (const id of ids) {
    if (interrupted.aborted) break;
    replayed.push(await call('executions.replay', { id, ...how, wait: true }));
  }
  out.answer(replayed, () => {
    const [only, ...others] = replayed;
    if (only === undefined) return 'Nothing to replay.';
    if (others.length === 0) return executionText(only, width);
    return replayed.map((one) => `${one.replay_of} → ${outcomeText(one)}`).join('\n');
  });
  return replayed.every(wentWell) ? 0 : 1;
}

/** One after the other, in the order they came; 1 when one of them failed. */
async function replayAll(
  { call, out, interrupted }: ConnectedTools,
  id: string,
  runs: readonly string[],
): Promise<ExitCode> {
  const replayed: Replayed[] = [];
  for (const invocation_id of runs) {
    if (interrupted.aborted) break;
    replayed.push(await call('sources.replay', { id, invocation_id }));
  }
  out.answer(replayed, () =>
    replayed.length === 0 ? 'Nothing to replay.' : replayed.map(replayText).join('\n'),
  );
  return replayed.every(({ status }) => status === 'succeeded') ? 0 : 1;
}

async function runsOf(
  { call }: ConnectedTools,
  id: string,
  ids: readonly string[],
): Promise<string[]> {
  const runs: string[] = [];
  for (const one of ids) {
    const kind = kindOf(one);
    if (kind === 'invocation' || kind === 'execution') runs.push(one);
    else runs.push((await call('events.get', { id, event_id: one })).invocation_id);
  }
  // Two events of one run are one trigger.
  return [...new Set(runs)];
}

/** Oldest first. Replays are left out: what they repeat is in the list itself. */
async function chosenRuns(
  { call }: ConnectedTools,
  id: string,
  since: number,
  onlyFailed: boolean,
): Promise<string[]> {
  const all = await allPages((page) => call('invocations.list', { id, ...page }), mostRuns);
  const fits = ({ cause, hook, status, created_at: at }: Invocation): boolean =>
    hook === null &&
    cause !== 'replay' &&
    at >= since &&
    (!onlyFailed || status === 'failed' || status === 'crashed');
  return all
    .filter(fits)
    .map((run) => run.id)
    .toReversed();
}

/** The same of a workflow. */
async function chosenExecutions(
  { call }: ConnectedTools,
  id: string,
  since: number,
  onlyFailed: boolean,
): Promise<string[]> {
  const all = await allPages((page) => call('executions.list', { id, ...page }), mostRuns);
  return all
    .filter((one) => one.cause !== 'replay' && one.created_at >= since)
    .filter((one) => !onlyFailed || hasFailed(one))
    .map((one) => one.id)
    .toReversed();
}

function sinceOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new UsageError(`--since ${text} is not a time; write it as 2026-11-20T08:00Z.`);
  return at;
}

function replayText({
  id,
  replay_of: of,
  status,
  error,
  emitted_count: emitted,
}: Replayed): string {
  const why = error === null ? `${emitted} emitted` : `${error.name}: ${error.message}`;
  return `${of} → ${id}  ${status}  ${why}`;
}
