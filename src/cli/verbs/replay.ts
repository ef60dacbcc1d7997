import type { Invocation, Result, WholeExecution } from '../../protocol/catalogue.ts';
import { kindOf } from '../../protocol/ids.ts';
import { comparisonSummary, comparisonText } from '../../client/comparison-text.ts';
import { allPages } from '../../client/pages.ts';
import {
  asTheyAreNow,
  type Comparison,
  executionsOf,
  failedSince,
  hasFailed,
  isOfOneReplay,
  originals,
  replayOnFiles,
  replayToEnd,
  retriesInWords,
} from '../../client/past-executions.ts';
import { runMode } from '../../protocol/run-mode.ts';
import { askedMode, type ModeFlags, withModes } from '../asked-mode.ts';
import { positiveInteger, UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { readEvent } from '../event-argument.ts';
import type { Io } from '../io.ts';
import { executionText, outcomeText, wentWell } from '../views/executions.ts';
import { tellWhatWentOut } from '../workflows/tell-what-went-out.ts';

interface ReplayFlags extends ModeFlags {
  readonly failed?: boolean;
  readonly since?: string;
  readonly last?: number;
  readonly fromStep?: string;
  readonly props?: string;
  readonly asDeployed?: boolean;
  readonly fromFailed?: boolean;
  readonly onFiles?: boolean;
  /** False with `--no-pins`. */
  readonly pins: boolean;
}

type Replayed = Result<'sources.replay'>;

/** How many runs of a source are searched for failed ones. */
const mostRuns = 10_000;

export const replay: Verb = (program, cli) => {
  const command = program
    .command('replay <source|workflow|execution> [id...]')
    .description(
      'Run the triggers of events, of runs (inv_…) or of executions (exec_…) again, as they were received',
    )
    .option(
      '--failed',
      'replay all failed runs; of a workflow, the failed executions that no retry fixed',
    )
    .option('--since <iso>', 'replay all runs since this time; with --failed, only failed ones')
    .option('--last <n>', 'replay this number of newest runs', positiveInteger)
    .option(
      '--from-step <step>',
      'executions: start at this step, with the results of the steps before it',
    )
    .option(
      '--props <json|@file|->',
      'with --from-step: props for that step instead of those in the file',
    )
    .option(
      '--as-deployed',
      'executions: use the deployment that they ran with, not the current one',
    )
    .option(
      '--from-failed',
      'start at the step that failed, with the results of the steps before it',
    )
    .option(
      '--on-files',
      'executions: run the edited files and show what differs; a dry run: requests are answered from the execution, data stores are copies',
    )
    .option('--no-pins', 'with --on-files: use no pins');
  withModes(command, 'make dry runs, which is the default', 'with --on-files').action(
    async (of: string, ids: string[], flags: ReplayFlags, command) => {
      const isExecution = kindOf(of) === 'execution';
      checkFlags(flags, isExecution, ids.length > 0);
      const since = sinceOf(flags.since);
      await cli.connected(command, async (tools) => {
        if (isExecution) return await replayExecutions(tools, [of, ...ids], flags);
        const { id, type } = await tools.call('emitters.find', { id: of });
        const runs =
          ids.length > 0
            ? await runsOf(tools, id, ids)
            : type === 'workflow'
              ? await chosenExecutions(tools, id, since, flags)
              : await chosenRuns(tools, id, since, flags);
        if (type === 'workflow') return await replayExecutions(tools, runs, flags);
        const wrong = flagOfExecutions(flags);
        if (wrong !== undefined) {
          throw new UsageError(`${wrong} is for executions of workflows, and ${of} is a source.`);
        }
        return await replayAll(tools, id, runs);
      });
    },
  );
};

function checkFlags(flags: ReplayFlags, isExecution: boolean, hasIds: boolean): void {
  const { failed, since, last, fromStep, fromFailed, props, asDeployed, onFiles, pins } = flags;
  const chooses = failed === true || since !== undefined || last !== undefined;
  if (isExecution && chooses) {
    throw new UsageError('Give a source or workflow with --failed, --since or --last.');
  }
  if (!isExecution && hasIds === chooses) {
    throw new UsageError('Give the ids of events or runs, or --failed, --since or --last.');
  }
  if (props !== undefined && fromStep === undefined) {
    throw new UsageError('--props are those of the step of --from-step: name it.');
  }
  if (fromStep !== undefined && fromFailed === true) {
    throw new UsageError('Give --from-step or --from-failed, not both.');
  }
  if (onFiles === true && (fromStep !== undefined || fromFailed === true || asDeployed === true)) {
    throw new UsageError(
      '--on-files runs the whole workflow as its files are: leave --from-step, --from-failed and --as-deployed out.',
    );
  }
  if (askedMode(flags) !== undefined && onFiles !== true) {
    throw new UsageError(
      '--real and --dry are for --on-files: any other replay is a real run of what is deployed.',
    );
  }
  if (!pins && onFiles !== true) {
    throw new UsageError('--no-pins is for --on-files: no pin stands in for what is live.');
  }
}

function flagOfExecutions({
  fromStep,
  fromFailed,
  asDeployed,
  onFiles,
}: ReplayFlags): string | undefined {
  if (onFiles === true) return '--on-files';
  if (fromFailed === true) return '--from-failed';
  if (fromStep !== undefined) return '--from-step';
  return asDeployed === true ? '--as-deployed' : undefined;
}

/**
 * Replays executions one after the other, and reports each as it ends; returns 1 if one of them failed, or differs on
 * the files.
 */
async function replayExecutions(
  tools: ConnectedTools,
  ids: readonly string[],
  flags: ReplayFlags,
): Promise<ExitCode> {
  if (flags.onFiles === true) return compareOnFiles(tools, ids, flags);
  const { call, io, out, interrupted, width } = tools;
  const { fromStep, fromFailed, asDeployed } = flags;
  const how = {
    ...(fromStep !== undefined && { from_step: fromStep }),
    ...(fromFailed === true && { from_failed: true }),
    ...(flags.props !== undefined && { props: await readProps(io, flags.props) }),
    ...(asDeployed === true && { as_deployed: true }),
  };
  const replayed: WholeExecution[] = [];
  const isOne = ids.length === 1;
  let refused = 0;
  for (const id of ids) {
    try {
      const one = await unlessInterrupted(interrupted, () =>
        replayToEnd(call, { id, ...how }, interrupted),
      );
      if (one === undefined) break;
      replayed.push(one);
      if (!isOne) out.live(() => `${one.replay_of} → ${outcomeText(one)}`);
    } catch (error) {
      // Its steps are others now, or what started it is not kept: that keeps the rest from nothing.
      if (isOne || !isOfOneReplay(error)) throw error;
      refused += 1;
      out.note(`${id} was not replayed: ${error.message}`);
    }
  }
  const left = ids.length - replayed.length - refused;
  if (left > 0) out.note(`Cancelled: ${left} of ${ids.length} were not replayed to their end.`);
  const now = isOne ? replayed : await asTheyAreNow(call, replayed);
  out.answer(now, () => {
    const [only] = now;
    if (only === undefined) return left > 0 ? '' : 'Nothing to replay.';
    return isOne ? executionText(only, width) : `${now.length} replayed: ${retriesInWords(now)}.`;
  });
  return left + refused === 0 && now.every(wentWell) ? 0 : 1;
}

async function compareOnFiles(
  tools: ConnectedTools,
  ids: readonly string[],
  { pins, ...flags }: ReplayFlags,
): Promise<ExitCode> {
  const { call, out, interrupted } = tools;
  const mode = runMode({ kind: 'many', hasPerson: false, asked: askedMode(flags) });
  const compared: Comparison[] = [];
  const [first] = ids;
  if (first !== undefined) {
    const { workflow_id: id } = await call('executions.get', { id: first });
    const { path: workflow_path } = await call('workflows.get', { id });
    for (const execution of ids) {
      const given = { workflow_path, execution, mode, ...(!pins && { default_pins: false }) };
      const one = await unlessInterrupted(interrupted, () =>
        replayOnFiles(call, given, interrupted),
      );
      if (one === undefined) break;
      compared.push(one);
      out.live(() => comparisonText(one));
      if (mode === 'real') await tellWhatWentOut(tools, one.after.id);
    }
  }
  const left = ids.length - compared.length;
  if (left > 0) out.note(`Cancelled: ${left} of ${ids.length} were not run to their end.`);
  out.answer(compared, () => comparisonSummary(compared));
  return left === 0 && compared.every(({ same }) => same) ? 0 : 1;
}

/** Undefined after Ctrl-C: the results so far are printed all the same. */
async function unlessInterrupted<T>(
  interrupted: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (interrupted.aborted) return undefined;
  try {
    return await work();
  } catch (error) {
    if (interrupted.aborted) return undefined;
    throw error;
  }
}

async function readProps(io: Io, text: string): Promise<Record<string, unknown>> {
  const props = await readEvent(io, text);
  if (typeof props === 'object' && props !== null && !Array.isArray(props)) {
    return props as Record<string, unknown>;
  }
  throw new UsageError('--props is a JSON object: {"name": "value"}.');
}

/** Replays runs one after the other, in the order of their arrival; returns 1 if one of them failed. */
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
  { failed, last }: ReplayFlags,
): Promise<string[]> {
  const all = await allPages((page) => call('invocations.list', { id, ...page }), mostRuns);
  const fits = (run: Invocation): boolean =>
    run.hook === null &&
    run.cause !== 'replay' &&
    run.created_at >= since &&
    (failed !== true || hasFailed(run));
  return all
    .filter(fits)
    .slice(0, last)
    .map((run) => run.id)
    .toReversed();
}

/** The same for a workflow, without tests. */
async function chosenExecutions(
  { call }: ConnectedTools,
  id: string,
  since: number,
  { failed, last = Number.POSITIVE_INFINITY }: ReplayFlags,
): Promise<string[]> {
  const all = await executionsOf(call, id);
  const chosen =
    failed === true
      ? failedSince(all, since)
      : originals(all)
          .filter((one) => one.created_at >= since)
          .toReversed();
  return chosen.slice(Math.max(0, chosen.length - last)).map((one) => one.id);
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
