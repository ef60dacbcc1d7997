import type { ExecutionTable } from '../../history/execution-table.ts';
import type { ExecutionState, ResumeHit, StepRun } from '../../history/executions.ts';
import { executions, outgoingRequests, stepRuns } from '../../schema/history.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import { requestColumn, type Invocations } from './invocations.ts';
import type { Logs } from './logs.ts';
import { packTrigger, readTrigger } from './triggers.ts';

export function createExecutions(
  { db, groups, keys }: Engine,
  invocations: Pick<Invocations, 'read'>,
  logs: Pick<Logs, 'ofRange'>,
): ExecutionTable {
  const readState = (row: Row): ExecutionState => {
    const { n: _, ...state } = executions.read(row.all(), keys);
    return state;
  };
  const readStep = (row: Row): StepRun => stepRuns.read(row.all(), keys);
  const stateOf = db.prepare('SELECT * FROM executions WHERE n = ?');
  const stepsOf = db.prepare('SELECT * FROM step_runs WHERE execution = ? ORDER BY seq');
  const hitsOf = db.prepare('SELECT * FROM resume_hits WHERE execution = ?');
  return {
    state: async (n) => stateOf.get(readState, n),
    states: async (numbers) =>
      new Map(
        numbers.flatMap((n) => {
          const state = stateOf.get(readState, n);
          return state === undefined ? [] : [[n, state] as const];
        }),
      ),
    steps: async (n) => stepsOf.all(readStep, n),
    async stepsWithLogs(n) {
      const emitter = db
        .prepare('SELECT emitter FROM executions WHERE n = ?')
        .get((row) => row.number('emitter'), n);
      const rows = stepsOf.all(
        (row) => ({
          step: readStep(row),
          first: row.numberOrNull('first_log'),
          count: row.number('logs'),
        }),
        n,
      );
      return rows.map(({ step, first, count }) => ({
        ...step,
        logs:
          first === null || emitter === undefined
            ? []
            : logs.ofRange(emitter, first, first + count),
      }));
    },
    requests: async (n) =>
      db
        .prepare('SELECT seq, requests FROM outgoing_requests WHERE execution = ? ORDER BY seq')
        .all((row) => outgoingRequests.read(row.all(), keys), n),
    hits: async (n) =>
      hitsOf.all(
        (row) => ({
          execution: n,
          path: row.text('path'),
          run: row.number('run'),
          action: row.text('action') as ResumeHit['action'],
          trigger: row.isNull('meta') ? undefined : readTrigger(row),
        }),
        n,
      ),
    addHit: (owner, { execution, path, run, action, trigger }, at) =>
      groups.writeAlone(() => {
        keys.owned(owner.id, owner.fence);
        const packed = trigger === undefined ? undefined : packTrigger(trigger);
        db.prepare(
          `INSERT OR IGNORE INTO resume_hits (execution, path, run, action, at, meta, body)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ).run(execution, path, run, action, at, packed?.meta, packed?.body);
        if (db.changes === 0) return false;
        db.prepare(
          `UPDATE executions SET wake_at = min(?, coalesce(wake_at, ?)) WHERE n = ? AND EXISTS (
             SELECT 1 FROM invocations i
             WHERE i.emitter = executions.emitter AND i.n = executions.n AND i.status = 'paused')`,
        ).run(at, at, execution);
        return true;
      }),
    due: async (now, limit) =>
      db
        .prepare(
          `SELECT i.*, ${requestColumn('i')} FROM executions e JOIN invocations i ON i.emitter = e.emitter AND i.n = e.n
           WHERE e.wake_at <= ? ORDER BY e.wake_at, e.n LIMIT ?`,
        )
        .all((row) => invocations.read(row), now, limit),
    nextWakeAfter: async (now) =>
      db
        .prepare('SELECT min(wake_at) AS at FROM executions WHERE wake_at > ?')
        .get((row) => row.numberOrNull('at') ?? undefined, now),
    paused: async (emitterId) =>
      db
        .prepare(
          `SELECT *, ${requestColumn('invocations')} FROM invocations
           WHERE emitter = ? AND ended_at IS NULL AND status = 'paused' ORDER BY n`,
        )
        .all((row) => invocations.read(row), keys.get(emitterId)?.row),
  };
}
