/** The journal of executions. */
import type { StepCommit } from '../../commit.ts';
import type { NewJournal, StepRun } from '../../history/executions.ts';
import type { Change } from '../change.ts';
import type { EmitterKey, OwnedKey } from '../emitter-keys.ts';
import type { Logs } from '../tables/logs.ts';
import { ends } from '../tables/row-tables.ts';

/** After this time, a person is notified again of the same error of a workflow (P25.75). */
const againMs = 24 * 3_600_000;

/**
 * The end of a step, of a leg, of the execution. Events and what else comes of it stand beside.
 * @returns false, with nothing written, when the execution is not open
 */
export function writeExecution(
  change: Change,
  logs: Pick<Logs, 'insert'>,
  key: OwnedKey,
  commit: StepCommit,
): boolean {
  const { n, step, pause, end, leg, events, drops } = commit;
  const { open } = key.owned;
  if (!open.has(n)) return false;
  const firstLog = key.owned.lastLog + 1;
  if (end !== undefined) {
    open.delete(n);
    change.memory.onRefused(() => open.add(n));
    change.insert(ends, {
      emitter: key.row,
      n,
      status: end.status,
      started_at: commit.startedAt,
      ended_at: end.at,
      emitted: events.length,
      dropped: drops.length,
      error: end.error === undefined ? null : JSON.stringify(end.error),
      first_log: firstLog + (step?.logs.length ?? 0),
      logs: commit.logs.length,
    });
  }
  if (step !== undefined) {
    writeStep(change, n, step, firstLog, step.logs.length);
    if (step.run > 1 || step.attempt > 1) {
      // An execution that runs again: the run before it no longer waits.
      change.run(
        `UPDATE step_runs SET status = CASE status WHEN 'paused' THEN 'succeeded' ELSE 'failed' END
         WHERE execution = $1 AND path = $2 AND seq < $3 AND status IN ('paused', 'retrying')`,
        [n, step.path, step.seq],
      );
    }
    for (const line of step.logs) logs.insert(change, key, n, line);
    if (step.requests !== undefined) {
      change.run('INSERT INTO outgoing_requests (execution, seq, requests) VALUES ($1, $2, $3)', [
        n,
        step.seq,
        step.requests,
      ]);
    }
  }
  for (const { seq, exports } of commit.resumed ?? []) {
    change.run(
      `UPDATE step_runs SET status = 'succeeded', exports = $3 WHERE execution = $1 AND seq = $2`,
      [n, seq, exports],
    );
  }
  const isFirst = step === undefined || step.seq === 1;
  const isResumed = commit.resumed !== undefined;
  if (isFirst || pause !== undefined || end !== undefined || isResumed) {
    const legs = pause === undefined && end === undefined ? leg - 1 : leg;
    // A request may come before the pause that it ends is stored (P25.41): then it is due at once.
    change.run(
      `INSERT INTO executions (n, emitter, deployment, legs, wake_at, reason)
       SELECT $1, $2, $3, $4, CASE WHEN $7 AND EXISTS (
         SELECT 1 FROM resume_hits h JOIN step_runs s
           ON s.execution = h.execution AND s.path = h.path AND s.run = h.run AND s.status = 'paused'
         WHERE h.execution = $1) THEN 0 ELSE $5::bigint END, $6
       ON CONFLICT (n) DO UPDATE SET legs = excluded.legs, wake_at = excluded.wake_at,
         reason = excluded.reason`,
      [n, key.row, commit.deploymentId, legs, pause?.wakeAt, end?.reason, pause !== undefined],
    );
  }
  if (commit.response !== undefined) {
    change.run('UPDATE executions SET response = $2 WHERE n = $1', [n, commit.response]);
  }
  if (end === undefined && (pause !== undefined || isResumed)) {
    change.run(
      `UPDATE accepted SET status = $3, started_at = $4, emitted = emitted + $5,
         dropped = dropped + $6 WHERE emitter = $1 AND n = $2`,
      [
        key.row,
        n,
        pause === undefined ? 'queued' : 'paused',
        commit.startedAt,
        events.length,
        drops.length,
      ],
    );
  }
  if (commit.sendsOut) {
    change.run('UPDATE step_runs SET sends = NULL WHERE execution = $1 AND sends IS NOT NULL', [n]);
  }
  if (commit.progressed === true) {
    change.run(
      `UPDATE accepted SET attempt = 1,
         status = CASE status WHEN 'paused' THEN status ELSE 'queued' END
       WHERE emitter = $1 AND n = $2`,
      [key.row, n],
    );
  }
  if (commit.leavesWaiting === true) {
    change.run(
      `UPDATE step_runs SET status = 'cancelled'
       WHERE execution = $1 AND status IN ('paused', 'retrying')`,
      [n],
    );
  }
  return true;
}

/** An execution that continues with the steps of another one. */
export function beginExecution(
  change: Change,
  { row }: EmitterKey,
  n: number,
  { deploymentId, steps, override, test }: NewJournal,
): void {
  change.run(
    `INSERT INTO executions (n, emitter, deployment, legs, override, test)
     VALUES ($1, $2, $3, 0, $4, $5)`,
    [n, row, deploymentId, textOf(override), textOf(test)],
  );
  for (const step of steps) writeStep(change, n, step, null, 0);
}

/** Its steps, and what ended their pauses. */
export function forgetExecution(change: Change, n: number): void {
  for (const table of ['step_runs', 'outgoing_requests', 'resume_hits']) {
    change.run(`DELETE FROM ${table} WHERE execution = $1`, [n]);
  }
}

/** Whether a person has to be notified of it; then that is stored. @param at epoch ms */
export function takeNotification(
  change: Change,
  { row, owned: { notified } }: OwnedKey,
  error: string,
  at: number,
): boolean {
  const last = notified.get(error);
  // A time that is still to come was written before the clock was set back.
  if (last !== undefined && last > at - againMs && last <= at) return false;
  notified.set(error, at);
  change.memory.onRefused(() => {
    if (last === undefined) notified.delete(error);
    else notified.set(error, last);
  });
  change.run(
    `INSERT INTO error_notifications (emitter, error, at) VALUES ($1, $2, $3)
     ON CONFLICT (emitter, error) DO UPDATE SET at = excluded.at`,
    [row, error, at],
  );
  for (const [old, told] of notified) if (told <= at - againMs) notified.delete(old);
  change.run('DELETE FROM error_notifications WHERE emitter = $1 AND at <= $2', [
    row,
    at - againMs,
  ]);
  return true;
}

function writeStep(
  change: Change,
  n: number,
  step: StepRun,
  firstLog: number | null,
  lines: number,
): void {
  change.run(
    `INSERT INTO step_runs (execution, seq, path, namespace, run, attempt, status, started_at,
       ended_at, leg, exports, return_value, decision, error, pause, sends, props, first_log, logs)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      n,
      step.seq,
      step.path,
      step.namespace,
      step.run,
      step.attempt,
      step.status,
      step.startedAt,
      step.endedAt,
      step.leg,
      step.exports,
      step.returnValue,
      step.decision,
      step.error === null ? null : JSON.stringify(step.error),
      step.pause === null ? null : JSON.stringify(step.pause),
      step.sends,
      step.props,
      firstLog,
      lines,
    ],
  );
}

function textOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
