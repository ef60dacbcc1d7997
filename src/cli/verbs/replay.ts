import type { Invocation, Result } from '../../protocol/catalogue.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';

interface ReplayFlags {
  readonly failed?: boolean;
  readonly since?: string;
}

type Replayed = Result<'sources.replay'>;

/** How many runs of a source are searched for those that failed. */
const mostRuns = 10_000;

export const replay: Verb = (program, cli) => {
  program
    .command('replay <source> [id...]')
    .description('Run the triggers of events (or of runs, inv_…) again, as they were received')
    .option('--failed', 'all runs that failed')
    .option('--since <iso>', 'all runs since then; with --failed those that failed')
    .action(async (source: string, ids: string[], flags: ReplayFlags, command) => {
      const chooses = flags.failed === true || flags.since !== undefined;
      if (ids.length > 0 === chooses) {
        throw new UsageError('Give the ids of events or runs, or --failed, or --since.');
      }
      const since = sinceOf(flags.since);
      await cli.connected(command, async (tools) => {
        const { id } = await tools.call('sources.get', { id: source });
        const runs =
          ids.length > 0
            ? await runsOf(tools, id, ids)
            : await chosenRuns(tools, id, since, flags.failed === true);
        return replayAll(tools, id, runs);
      });
    });
};

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
    if (one.startsWith('inv_')) runs.push(one);
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
