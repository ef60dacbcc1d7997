import type { Invocation, InvocationStatus } from '../../protocol/catalogue.ts';
import { countOf } from '../count-of.ts';
import { relativeTime, tokens, type Line } from './line.ts';

const causes: Record<Invocation['cause'], string> = {
  http: 'Request',
  timer: 'Tick',
  event: 'Event from another source',
  workflow: 'Started by a workflow',
  manual: 'Run by hand',
  replay: 'Replay',
  hook: 'Hook',
};

const look: Record<InvocationStatus, { icon: string; colour?: string }> = {
  queued: { icon: 'watch' },
  running: { icon: 'loading~spin' },
  succeeded: { icon: 'pass', colour: 'weir.succeeded' },
  failed: { icon: 'error', colour: 'weir.failed' },
  crashed: { icon: 'flame', colour: 'weir.failed' },
  cancelled: { icon: 'circle-slash', colour: 'weir.inactive' },
  paused: { icon: 'debug-pause' },
  timed_out: { icon: 'error', colour: 'weir.failed' },
  dropped: { icon: 'circle-slash', colour: 'weir.inactive' },
};

/** A run: what started it, how it ended, how long it took. */
export function invocationLine(run: Invocation, now: number): Line {
  const label = titleOfRun(run);
  const description = [
    outcomeOf(run),
    run.attempt > 1 ? `attempt ${run.attempt}` : undefined,
    durationOf(run),
    relativeTime(run.ended_at ?? run.started_at ?? run.created_at, now),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label,
    description,
    ...look[run.status],
    contextValue: tokens(
      'invocation',
      run.status,
      isGoingOn(run) ? 'goesOn' : undefined,
      // A hook run has no trigger to replay.
      run.hook === null ? 'trigger' : 'hook',
      run.request === null ? undefined : 'http',
    ),
    accessible: `${label}, run, ${run.status}, ${description}`,
  };
}

/** Above the failed runs of a source. */
export function failedRunsLine(count: number, unseen: number): Line {
  const description = unseen === 0 ? String(count) : `${count} · ${unseen} new`;
  return {
    label: 'Failed Runs',
    description,
    icon: 'error',
    colour: unseen === 0 ? 'weir.inactive' : 'weir.failed',
    contextValue: tokens('failedRuns', unseen > 0 ? 'unseen' : undefined),
    accessible: `Failed runs, ${description}`,
  };
}

/** The trigger of a run: "POST /orders", "Tick", "Replay of POST /orders", "deploy hook". */
export function titleOfRun({
  cause,
  hook,
  request,
}: Pick<Invocation, 'cause' | 'hook' | 'request'>): string {
  if (hook !== null) return `${hook} hook`;
  if (request === null) return causes[cause];
  const line = `${request.method} ${request.path}`;
  return cause === 'replay' ? `Replay of ${line}` : line;
}

/** Whether it waits or runs: it can be stopped. */
export function isGoingOn({ status }: Pick<Invocation, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** How a run ended, or that it has not, in a few words. */
export function outcomeOf(run: Invocation): string {
  if (run.error !== null) return `${run.error.name}: ${firstLine(run.error.message)}`;
  if (run.status !== 'succeeded') return run.status;
  const emitted = countOf(run.emitted_count, 'event');
  return run.dropped_count === 0 ? emitted : `${emitted}, ${run.dropped_count} dropped`;
}

/** "14 ms", "2.3 s"; undefined until the run has ended. */
export function durationOf({ started_at, ended_at }: Invocation): string | undefined {
  if (started_at === null || ended_at === null) return undefined;
  return formatDuration(ended_at - started_at);
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
