/** Which steps of an execution wait, and which of them continue (pure). */
import type { ResumeHit, StepPause, StepRun } from '../../store/history/executions.ts';
import type { Execution } from './execution.ts';
import { hitFor, hitRunOf } from './journal.ts';
import { wholeExecution } from './keys.ts';

type Waiting = Pick<Execution, 'waiting' | 'hits'>;

/** A step whose wait is over: by its time, or by a request. */
export interface Wake {
  readonly row: StepRun;
  readonly pause: StepPause;
  /** The request that ended it. */
  readonly hit: ResumeHit | undefined;
  /** The step itself runs again; otherwise the next step runs. */
  readonly isAgain: boolean;
}

/** The pauses that end now, in the order in which they began; or that the execution is to be cancelled. */
export function wakesOf(
  { waiting, hits }: Waiting,
  now: number,
): { readonly cancel: string | undefined } | readonly Wake[] {
  if (hitFor(hits, wholeExecution.path, wholeExecution.run) !== undefined) {
    return { cancel: undefined };
  }
  const wakes: Wake[] = [];
  for (const [path, row] of waiting) {
    const { pause } = row;
    if (pause === null) continue;
    if (hitFor(hits, path, row.run)?.action === 'cancel') return { cancel: undefined };
    const found = hitFor(hits, path, hitRunOf(row));
    const hit = found?.action === 'due' ? undefined : found;
    if (found === undefined && !isDue(pause, now)) continue;
    const isAgain = pause.kind === 'rerun' || pause.kind === 'retry';
    if (pause.kind === 'suspend' && hit === undefined) {
      // The newest word of the platform is that a wait that nobody ends cancels the execution (P25.43).
      return { cancel: `${path} was not resumed in time.` };
    }
    wakes.push({ row, pause, hit, isAgain });
  }
  return wakes;
}

/**
 * A request came before the pause was stored (P25.41). A time that has come is not a request: each pause ends a leg
 * (P25.46).
 */
export function isResumedAlready({ waiting, hits }: Waiting): boolean {
  return [...waiting.values()].some((row) => hitFor(hits, row.path, hitRunOf(row)) !== undefined);
}

/** Epoch ms of what is due first among what waits; null when nothing waits for a time. */
export function earliestOf({ waiting }: Pick<Waiting, 'waiting'>): number | null {
  let earliest: number | null = null;
  for (const { pause } of waiting.values()) {
    const at = pause?.dueAt ?? null;
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}

/**
 * Whether a request can still end the pause of this run: not if the run has continued, or another one followed
 * (P25.42).
 */
export function awaits(
  live: Execution | undefined,
  rows: readonly StepRun[],
  path: string,
  run: number,
): boolean {
  if (live?.isOver === true || live?.stopping !== undefined) return false;
  const running = live?.running.get(path);
  if (running !== undefined) return running.run === run;
  const last = rows.findLast((row) => row.path === path && row.status !== 'cancelled');
  if (last === undefined || last.run < run) return run > 0;
  const isWaiting = last.status === 'paused' || last.status === 'retrying';
  // The rows of what runs lag behind.
  if (!isWaiting || (live?.walk !== undefined && !live.waiting.has(path))) return false;
  // The URLs of a step that is tried again are those of the run that it is.
  return hitRunOf(last) === run || (last.status === 'retrying' && last.run === run);
}

function isDue({ dueAt }: StepPause, now: number): boolean {
  return dueAt !== null && dueAt <= now;
}
