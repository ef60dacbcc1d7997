import type { StepCommit } from '../../commit.ts';
import type { NewJournal, StepRun } from '../../history/executions.ts';
import type { Engine } from '../engine.ts';
import type { EmitterKey } from '../emitter-keys.ts';
import type { Logs } from '../tables/logs.ts';

/** Within a write: the journal of executions. */
export interface ExecutionWriter {
  /** False, with nothing written, when the execution is not open. */
  write(key: EmitterKey, commit: StepCommit): boolean;
  /** An execution that continues with the steps of another one. */
  begin(emitter: number, n: number, journal: NewJournal): void;
  /** Its steps, and what ended their pauses. */
  forget(n: number): void;
}

export function createExecutionWriter(
  { db, numbers }: Engine,
  logs: Pick<Logs, 'insert'>,
): ExecutionWriter {
  const isOpen = db.prepare(
    'SELECT 1 AS open FROM invocations WHERE emitter = ? AND n = ? AND ended_at IS NULL',
  );
  const setStatus = db.prepare(
    'UPDATE invocations SET status = ?, started_at = ? WHERE emitter = ? AND n = ?',
  );
  const end = db.prepare(
    `UPDATE invocations SET status = ?, started_at = ?, ended_at = ?, error = ?,
       emitted = emitted + ?, dropped = dropped + ?, scheduled = scheduled + ?,
       first_event = coalesce(first_event, ?), first_log = ?, logs = ?
     WHERE emitter = ? AND n = ? AND ended_at IS NULL`,
  );
  const countEvents = db.prepare(
    `UPDATE invocations SET emitted = emitted + ?, dropped = dropped + ?, scheduled = scheduled + ?,
       first_event = coalesce(first_event, ?) WHERE emitter = ? AND n = ?`,
  );
  // Numbers of other emitters are between those of two legs.
  const laterEvents = db.prepare(
    `INSERT INTO leg_events (execution, first, count)
     SELECT n, ?, ? FROM invocations WHERE emitter = ? AND n = ? AND first_event IS NOT NULL AND ended_at IS NULL`,
  );
  const begin = db.prepare(
    `INSERT INTO executions (n, emitter, deployment, legs, wake_at, reason) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (n) DO UPDATE SET legs = excluded.legs, wake_at = excluded.wake_at,
       reason = excluded.reason`,
  );
  // A request may come before the pause that it ends is stored (P25.41): then it is due at once.
  const hasHit = db.prepare(
    `SELECT 1 AS hit FROM resume_hits h JOIN step_runs s
       ON s.execution = h.execution AND s.path = h.path AND s.run = h.run AND s.status = 'paused'
     WHERE h.execution = ? LIMIT 1`,
  );
  const insertStep = db.prepare(
    `INSERT INTO step_runs (execution, seq, path, namespace, run, attempt, status, started_at,
       ended_at, leg, exports, return_value, decision, error, pause, sends, props, first_log, logs)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertExecution = db.prepare(
    `INSERT INTO executions (n, emitter, deployment, legs, override, test)
     VALUES (?, ?, ?, 0, ?, ?)`,
  );
  const respond = db.prepare('UPDATE executions SET response = ? WHERE n = ?');
  const progressed = db.prepare(
    `UPDATE invocations SET attempt = 1,
       status = CASE WHEN ended_at IS NULL AND status <> 'paused' THEN 'queued' ELSE status END
     WHERE emitter = ? AND n = ?`,
  );
  // An execution that runs again: the run before it no longer waits.
  const supersede = db.prepare(
    `UPDATE step_runs SET status = CASE status WHEN 'paused' THEN 'succeeded' ELSE 'failed' END
     WHERE execution = ? AND path = ? AND seq < ? AND status IN ('paused', 'retrying')`,
  );
  const leave = db.prepare(
    `UPDATE step_runs SET status = 'cancelled'
     WHERE execution = ? AND status IN ('paused', 'retrying')`,
  );
  const forgetSteps = db.prepare('DELETE FROM step_runs WHERE execution = ?');
  const forgetRequests = db.prepare('DELETE FROM outgoing_requests WHERE execution = ?');
  const insertRequests = db.prepare(
    'INSERT INTO outgoing_requests (execution, seq, requests) VALUES (?, ?, ?)',
  );
  const forgetHits = db.prepare('DELETE FROM resume_hits WHERE execution = ?');
  const resume = db.prepare(
    `UPDATE step_runs SET status = 'succeeded', exports = ? WHERE execution = ? AND seq = ?`,
  );
  const sent = db.prepare(
    'UPDATE step_runs SET sends = NULL WHERE execution = ? AND sends IS NOT NULL',
  );
  return {
    write(key, commit) {
      const { n, step, pause, end: ended, leg, events, drops, scheduled } = commit;
      const count = events.length + drops.length + (scheduled?.length ?? 0);
      if (ended === undefined) {
        if (isOpen.get(() => true, key.row, n) !== true) return false;
      } else {
        if (count > 0) laterEvents.run(numbers.peek('event'), count, key.row, n);
        end.run(
          ended.status,
          commit.startedAt,
          ended.at,
          ended.error === undefined ? null : JSON.stringify(ended.error),
          events.length,
          drops.length,
          scheduled?.length ?? 0,
          numbers.peek('event'),
          key.lastLog + 1 + (step?.logs.length ?? 0),
          commit.logs.length,
          key.row,
          n,
        );
        if (db.changes === 0) return false;
      }
      if (step !== undefined) {
        const firstLog = key.lastLog + 1;
        writeStep(n, step, firstLog, step.logs.length);
        if (step.run > 1 || step.attempt > 1) supersede.run(n, step.path, step.seq);
        for (const line of step.logs) logs.insert(key, n, line);
        if (step.requests !== undefined) insertRequests.run(n, step.seq, step.requests);
      }
      const isFirst = step === undefined || step.seq === 1;
      const legs = pause === undefined && ended === undefined ? leg - 1 : leg;
      const resumed = commit.resumed !== undefined;
      for (const { seq, exports } of commit.resumed ?? []) resume.run(exports, n, seq);
      if (isFirst || pause !== undefined || ended !== undefined || resumed) {
        const { deploymentId } = commit;
        const isDue = pause !== undefined && hasHit.get(() => true, n) === true;
        const wakeAt = isDue ? 0 : (pause?.wakeAt ?? null);
        begin.run(n, key.row, deploymentId, legs, wakeAt, ended?.reason ?? null);
      }
      if (commit.response !== undefined) respond.run(commit.response, n);
      if (ended === undefined && (pause !== undefined || resumed)) {
        const status = pause === undefined ? 'queued' : 'paused';
        setStatus.run(status, commit.startedAt, key.row, n);
        if (count > 0) {
          const first = numbers.peek('event');
          laterEvents.run(first, count, key.row, n);
          countEvents.run(events.length, drops.length, scheduled?.length ?? 0, first, key.row, n);
        }
      }
      if (commit.sendsOut) sent.run(n);
      if (commit.progressed === true) progressed.run(key.row, n);
      if (commit.leavesWaiting === true) leave.run(n);
      return true;
    },
    begin(emitter, n, { deploymentId, steps, override, test }) {
      insertExecution.run(n, emitter, deploymentId, textOf(override), textOf(test));
      for (const step of steps) writeStep(n, step, null, 0);
    },
    forget(n) {
      forgetSteps.run(n);
      forgetRequests.run(n);
      forgetHits.run(n);
    },
  };

  function writeStep(n: number, step: StepRun, firstLog: number | null, lines: number): void {
    insertStep.run(
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
    );
  }
}

function textOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
