/** From the result of a run to the one commit that stores it: events, log lines, notices, its end. */
import type { ThrownError } from '../../../protocol/host.ts';
import type { EventPlanner, Notices } from '../emit/planner.ts';
import type { InvocationCommit } from '../../store/commit.ts';
import type { DroppedEvent } from '../../store/history/events.ts';
import type { NewLog } from '../../store/history/logs.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { Run } from './run.ts';

export type EndStatus = InvocationCommit['status'];

/**
 * The next plan of the emitter rests on this one: commit it before.
 * @param endedAt epoch ms
 */
export function planCommit(
  planner: Pick<EventPlanner, 'plan' | 'notices'>,
  run: Run,
  status: EndStatus,
  outcome: Outcome,
  endedAt: number,
): InvocationCommit {
  const { emitter, startedAt = run.createdAt } = run;
  const plan = planner.plan(emitter, outcome.emits, endedAt, run.hops);
  const { error } = outcome;
  const logs: NewLog[] = [];
  if (!run.skipsStorage) for (const line of outcome.logs) logs.push({ ...line, kind: 'console' });
  for (const drop of plan.drops) {
    logs.push(dropLine(drop, endedAt));
  }
  if (error !== undefined) logs.push(errorLine(error, endedAt));
  logs.push(
    endLine(run, status, endedAt - startedAt, endedAt, {
      emitted: plan.events.length,
      scheduled: plan.scheduled?.length ?? 0,
      dropped: plan.drops.length,
    }),
  );
  const notices = noticesOf(planner, run, status, error, logs, startedAt, endedAt);
  let { drops } = plan;
  if (notices !== undefined && notices.drops.length > 0) {
    drops = [...drops, ...notices.drops];
    for (const drop of notices.drops) logs.push(dropLine(drop, endedAt));
  }
  return {
    n: run.n,
    emitterId: emitter.id,
    fence: emitter.fence,
    status,
    startedAt,
    endedAt,
    error,
    events: plan.events,
    hops: run.hops + 1,
    drops,
    scheduled: plan.scheduled,
    notices: notices?.events,
    db: outcome.db,
    dedupe: plan.dedupe,
    logs,
    forgetTrigger: run.skipsStorage,
  };
}

/**
 * Notices on the reserved channels, for runs only: a failed hook is reported to the person who deploys, and stops the
 * deploy. A run that was cancelled because its emitter was switched off did not fail.
 */
function noticesOf(
  planner: Pick<EventPlanner, 'notices'>,
  run: Run,
  status: EndStatus,
  error: ThrownError | undefined,
  logs: readonly NewLog[],
  startedAt: number,
  endedAt: number,
): Notices | undefined {
  const { n, emitter, cause, attempt, hops } = run;
  if (run.hook !== undefined) return undefined;
  // A trigger that must not be stored is not announced, either.
  const trigger = run.skipsStorage ? undefined : run.trigger;
  return planner.notices(
    emitter,
    () => ({
      n,
      emitterId: emitter.id,
      cause,
      attempt,
      hops,
      startedAt,
      endedAt,
      status,
      trigger,
      logs,
      error: status === 'cancelled' ? undefined : error,
    }),
    endedAt,
  );
}

/** That something was not emitted, and why. */
function dropLine({ reason }: DroppedEvent, at: number): NewLog {
  return { at, kind: 'drop', level: 'warn', text: reason };
}

/** How many of each. */
interface Produced {
  readonly emitted: number;
  readonly scheduled: number;
  readonly dropped: number;
}

/** The last line of a run: its trigger, its end and its events. */
function endLine(
  run: Run,
  status: EndStatus,
  durationMs: number,
  endedAt: number,
  { emitted, scheduled, dropped }: Produced,
): NewLog {
  const parts = [`${nameOf(run)} ${status} in ${durationText(durationMs)}`];
  if (emitted > 0) parts.push(emitted === 1 ? '1 event' : `${emitted} events`);
  if (scheduled > 0) parts.push(`${scheduled} scheduled`);
  if (dropped > 0) parts.push(`${dropped} dropped`);
  const level = status === 'succeeded' ? 'info' : 'error';
  return { at: endedAt, kind: 'end', level, text: parts.join(' · ') };
}

/** Why it failed: the author's mistake with its stack, a wrong configuration without. */
function errorLine(error: ThrownError, at: number): NewLog {
  const text =
    error.configuration === true || error.stack === undefined
      ? `${error.name}: ${error.message}`
      : error.stack;
  return { at, kind: 'error', level: 'error', text };
}

function nameOf({ hook, trigger }: Run): string {
  if (hook !== undefined) return `${hook} hook`;
  if (trigger?.kind === 'http') return `${trigger.method} ${trigger.path}`;
  return trigger?.kind === 'timer' ? 'timer run' : 'run';
}

function durationText(ms: number): string {
  const clean = Math.max(0, ms);
  return clean < 1000 ? `${Math.round(clean)} ms` : `${(clean / 1000).toFixed(1)} s`;
}
