import { staleReason, type StaleStep } from '../../client/stale-reason.ts';
import type { StepRun } from '../../protocol/catalogue.ts';
import { formatDuration } from '../views/invocation-line.ts';
import { relativeTime, tokens, type Line } from '../views/line.ts';
import { firstLine, type Look } from './execution-line.ts';

const look: Record<StepRun['status'], Look> = {
  running: { icon: 'loading~spin' },
  succeeded: { icon: 'pass', colour: 'weir.succeeded' },
  failed: { icon: 'error', colour: 'weir.failed' },
  retrying: { icon: 'history', colour: 'weir.failed' },
  paused: { icon: 'debug-pause', colour: 'weir.paused' },
  cancelled: { icon: 'circle-slash', colour: 'weir.inactive' },
};

/** A run of a step: its summary, or how it failed, and whether it is stale. */
export function stepLine(step: StepRun, now: number, stale?: StaleStep): Line {
  const label = titleOfStep(step);
  const mark = stale === undefined ? undefined : `stale: ${staleReason(stale)}`;
  const description = [mark, durationOfStep(step), stepInWords(step, now)]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label,
    description,
    ...look[step.status],
    contextValue: tokens('step', step.status, stale === undefined ? undefined : 'stale'),
    accessible: `${label}, step, ${step.status}, ${description}`,
  };
}

/** Its path, and which run and attempt of several. */
export function titleOfStep({ path, run, attempt }: StepRun): string {
  const which = [
    run > 1 ? `run ${run}` : undefined,
    attempt > 1 ? `attempt ${attempt}` : undefined,
  ].filter((part) => part !== undefined);
  return which.length === 0 ? path : `${path} (${which.join(', ')})`;
}

/** Key of this run and attempt, within its execution. */
export function stepKey({ path, run, attempt }: StepRun): string {
  return `${path} ${run} ${attempt}`;
}

/** The step's summary, its error, or what it waits for; undefined if there is nothing to say. */
export function stepInWords(step: StepRun, now: number): string | undefined {
  const { status, error, pause, summary } = step;
  if (status === 'paused' || status === 'retrying') {
    const at = pause?.resumes_at ?? null;
    const isSuspended = pause?.kind === 'suspend';
    const waits = isSuspended || at === null ? 'waits to be resumed' : undefined;
    const then = isSuspended ? 'else cancelled' : status === 'retrying' ? 'runs again' : 'goes on';
    const due = at === null ? undefined : `${then} ${relativeTime(at, now)}`;
    const wait = [waits, due].filter((part) => part !== undefined).join(', ');
    return error === null ? wait : `${wait}: ${error.name}: ${firstLine(error.message)}`;
  }
  if (error !== null) return `${error.name}: ${firstLine(error.message)}`;
  return summary ?? (status === 'succeeded' ? undefined : status);
}

export function durationOfStep({ started_at, ended_at }: StepRun): string | undefined {
  if (started_at === null || ended_at === null) return undefined;
  return formatDuration(ended_at - started_at);
}
