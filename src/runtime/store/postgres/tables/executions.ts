import type { ExecutionTable } from '../../history/execution-table.ts';
import type { ExecutionState, ResumeHit, StepRun } from '../../history/executions.ts';
import { arrayOf } from '../arrays.ts';
import { columnsOfTrigger, triggerOf } from '../commit/inbox.ts';
import { type Engine, write } from '../engine.ts';
import { executions, outgoingRequests, stepRuns } from '../../schema/history.ts';
import { number, numberOrNull, text } from '../fields.ts';
import type { Row } from '../row-table.ts';
import type { Invocations } from './invocations.ts';
import type { Logs } from './logs.ts';

export function createExecutions(
  engine: Engine,
  invocations: Pick<Invocations, 'recordOf'>,
  logs: Pick<Logs, 'ofRange'>,
): ExecutionTable {
  const { keys, membership, read } = engine;
  const stateOf = (row: Row): ExecutionState => {
    const { n: _, ...state } = executions.read(row, keys);
    return state;
  };
  const stepOf = (row: Row): StepRun => stepRuns.read(row, keys);
  const stepsOf = (n: number): Promise<Row[]> =>
    read('SELECT * FROM step_runs WHERE execution = $1 ORDER BY seq', [n]);
  return {
    async state(n) {
      const [row] = await read('SELECT * FROM executions WHERE n = $1', [n]);
      return row && stateOf(row);
    },
    async states(numbers) {
      const rows = await read('SELECT * FROM executions WHERE n = ANY ($1::bigint[])', [
        arrayOf('bigint', numbers),
      ]);
      return new Map(rows.map((row) => [number(row, 'n'), stateOf(row)] as const));
    },
    steps: async (n) => (await stepsOf(n)).map(stepOf),
    async stepsWithLogs(n) {
      const [execution] = await read('SELECT emitter FROM executions WHERE n = $1', [n]);
      return Promise.all(
        (await stepsOf(n)).map(async (row) => {
          const first = numberOrNull(row, 'first_log');
          const lines =
            first === null || execution === undefined
              ? []
              : await logs.ofRange(
                  number(execution, 'emitter'),
                  first,
                  first + number(row, 'logs'),
                );
          return { ...stepOf(row), logs: lines };
        }),
      );
    },
    requests: async (n) =>
      (
        await read(
          'SELECT seq, requests FROM outgoing_requests WHERE execution = $1 ORDER BY seq',
          [n],
        )
      ).map((row) => outgoingRequests.read(row, keys)),
    hits: async (n) =>
      (await read('SELECT * FROM resume_hits WHERE execution = $1 ORDER BY path, run', [n])).map(
        (row) => ({
          execution: n,
          path: text(row, 'path'),
          run: number(row, 'run'),
          action: text(row, 'action') as ResumeHit['action'],
          trigger: triggerOf(row),
        }),
      ),
    async addHit(owner, { execution, path, run, action, trigger }, at) {
      let isNew = false;
      await write(engine, (change) => {
        keys.owned(owner.id, owner.fence);
        const { meta, body } = columnsOfTrigger(trigger);
        change.run(
          `WITH hit AS (
             INSERT INTO resume_hits (execution, path, run, action, at, meta, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING execution),
           woken AS (
             UPDATE executions SET wake_at = least($5, coalesce(wake_at, $5))
             FROM hit, invocations i WHERE executions.n = hit.execution
               AND i.emitter = executions.emitter AND i.n = executions.n AND i.status = 'paused')
           SELECT 1 FROM hit`,
          [execution, path, run, action, at, meta, body],
          (rows) => (isNew = rows.length > 0),
        );
      });
      return isNew;
    },
    due: async (now, limit) =>
      (
        await read(
          `SELECT i.* FROM executions e JOIN emitters o ON o.row = e.emitter AND o.node = $3
           JOIN invocations i ON i.emitter = e.emitter AND i.n = e.n
           WHERE e.wake_at <= $1 ORDER BY e.wake_at, e.n LIMIT $2`,
          [now, limit, membership.id],
        )
      ).map((row) => invocations.recordOf(row)),
    async nextWakeAfter(now) {
      const [row] = await read(
        `SELECT min(wake_at) AS at FROM executions e
         JOIN emitters o ON o.row = e.emitter AND o.node = $2 WHERE wake_at > $1`,
        [now, membership.id],
      );
      return row && (numberOrNull(row, 'at') ?? undefined);
    },
    paused: async (emitterId) =>
      (
        await read(
          `SELECT * FROM invocations
           WHERE emitter = $1 AND ended_at IS NULL AND status = 'paused' ORDER BY n`,
          [keys.rowOf(emitterId)],
        )
      ).map((row) => invocations.recordOf(row)),
  };
}
