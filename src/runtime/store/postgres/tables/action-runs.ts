import { WeirError } from '../../../../protocol/errors.ts';
import type { ThrownError } from '../../../../protocol/host.ts';
import type {
  ActionRunRecord,
  ActionRunStatus,
  ActionRunTable,
  WholeActionRun,
} from '../../history/action-runs.ts';
import { cutOf } from '../../retention.ts';
import type { Change } from '../change.ts';
import { type Engine, write } from '../engine.ts';
import { jsonOrNull, number, numberOrNull, text, textOrNull } from '../fields.ts';
import type { Row } from '../row-table.ts';
import { page, placeOfNumber } from './paging.ts';

export function createActionRuns(engine: Engine): ActionRunTable {
  const { membership, numbers, read } = engine;
  /** Rows that a statement names, known when it is on disk. */
  const returned = async (
    apply: (change: Change, onRows: (rows: readonly Row[]) => void) => void,
  ) => {
    let found: readonly Row[] = [];
    await write(engine, (change) => apply(change, (rows) => (found = rows)));
    return found;
  };
  return {
    async begin(run) {
      const n = numbers.next();
      await write(engine, (change) =>
        change.run(
          `INSERT INTO action_runs
             (n, node, name, key, version, path, agent, props, status, started_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9)`,
          [
            n,
            membership.id,
            run.name,
            run.key,
            run.version,
            run.path,
            run.agent,
            run.props,
            run.startedAt,
          ],
        ),
      );
      return { ...run, n, status: 'running', endedAt: null, error: null };
    },
    async end(n, { status, endedAt, error, outcome }) {
      const [row] = await returned((change, onRows) =>
        change.run(
          `UPDATE action_runs SET status = $2, ended_at = $3, error = $4, exports = $5,
             return_value = $6, logs = $7, requests = $8
           WHERE n = $1 AND status = 'running' RETURNING *`,
          [
            n,
            status,
            endedAt,
            error === null ? null : JSON.stringify(error),
            outcome.exports,
            outcome.returnValue,
            outcome.logs,
            outcome.requests,
          ],
          onRows,
        ),
      );
      if (row === undefined) throw new WeirError('not_found', `No run ${n} of an action goes on.`);
      return recordOf(row);
    },
    async get(n) {
      const [row] = await read('SELECT * FROM action_runs WHERE n = $1', [n]);
      return row && wholeOf(row);
    },
    list: (request) =>
      page(
        engine,
        {
          from: 'action_runs',
          where: [],
          key: ['n'],
          read: recordOf,
          cursorOf: (record: ActionRunRecord) => String(record.n),
          placeOf: placeOfNumber,
        },
        request,
      ),
    // Of nodes that left or were fenced.
    async endLost(at) {
      const rows = await returned((change, onRows) =>
        change.run(
          `UPDATE action_runs SET status = 'crashed', ended_at = $1
           WHERE status = 'running'
             AND (node IS NULL OR node NOT IN (SELECT id FROM nodes WHERE fenced_at IS NULL))
           RETURNING n`,
          [at],
          onRows,
        ),
      );
      return rows.length;
    },
    async prune(keep) {
      const oldestFirst = (await read('SELECT n, started_at FROM action_runs ORDER BY n')).map(
        (row) => ({ n: number(row, 'n'), ms: number(row, 'started_at'), bytes: 0 }),
      );
      const cut = cutOf(oldestFirst, { count: oldestFirst.length, bytes: 0 }, keep);
      if (cut === undefined) return 0;
      const rows = await returned((change, onRows) =>
        change.run(
          `DELETE FROM action_runs WHERE n <= $1 AND status <> 'running' RETURNING n`,
          [cut.newest.n],
          onRows,
        ),
      );
      return rows.length;
    },
  };
}

function recordOf(row: Row): ActionRunRecord {
  return {
    n: number(row, 'n'),
    name: text(row, 'name'),
    key: textOrNull(row, 'key'),
    version: textOrNull(row, 'version'),
    path: textOrNull(row, 'path'),
    agent: textOrNull(row, 'agent'),
    props: text(row, 'props'),
    status: text(row, 'status') as ActionRunStatus,
    startedAt: number(row, 'started_at'),
    endedAt: numberOrNull(row, 'ended_at'),
    error: jsonOrNull(row, 'error') as ThrownError | null,
  };
}

function wholeOf(row: Row): WholeActionRun {
  const exports = textOrNull(row, 'exports');
  return {
    ...recordOf(row),
    outcome:
      exports === null
        ? null
        : {
            exports,
            returnValue: textOrNull(row, 'return_value'),
            logs: text(row, 'logs'),
            requests: textOrNull(row, 'requests'),
          },
  };
}
