import { WeirError } from '../../../protocol/errors.ts';
import type { ActionRunRecord, ActionRunTable } from '../history/action-runs.ts';
import { cutOf } from '../retention.ts';
import type { Row, Value } from '../schema/column.ts';
import { actionRunOutcome, actionRuns } from '../schema/history.ts';
import { selectList, without } from '../schema/table.ts';
import { insertRow, selectSql, type TableChange, type TableEngine } from './engine.ts';
import { page, placeOfNumber } from './paging.ts';

/** How an engine knows which runs a crash has cut off. */
export interface RunningHere {
  /** Columns of a run that begins here. */
  readonly row: Row;
  /**
   * Condition for interrupted runs, with its values.
   * @param own numbers of the runs that are running in this runtime
   */
  lost(own: ReadonlySet<number>): readonly [condition: string, ...values: Value[]];
}

/** Its outcome is the last column, where a list does not read it. */
const listed = without(actionRuns, ['exports', 'return_value', 'logs', 'requests']);

export function createActionRuns(engine: TableEngine, here: RunningHere): ActionRunTable {
  const { ids } = engine;
  const read = (row: Row): ActionRunRecord => actionRuns.read(row, ids);
  /** Running runs that this runtime has begun. */
  const own = new Set<number>();
  /** Rows that a statement returns, known when it is on disk. */
  const returned = async (
    apply: (change: TableChange, onRows: (rows: readonly Row[]) => void) => void,
  ): Promise<readonly Row[]> => {
    let found: readonly Row[] = [];
    await engine.write((change) => apply(change, (rows) => (found = rows)));
    return found;
  };
  return {
    async begin(run) {
      const begun = { ...run, status: 'running', endedAt: null, error: null } as const;
      const { n: _, ...row } = actionRuns.write({ ...begun, n: 0 }, ids);
      const given = engine.nextNumber();
      const [made] = await returned((change, onRows) =>
        insertRow(
          engine,
          change,
          actionRuns,
          { n: given, ...here.row, ...row },
          'RETURNING n',
          onRows,
        ),
      );
      if (made === undefined) throw new Error('The number of a run is missing.');
      const n = made['n'] as number;
      own.add(n);
      return { ...begun, n };
    },
    async end(n, { status, endedAt, error, outcome }) {
      const ended: Row = {
        status,
        ended_at: endedAt,
        error: error === null ? null : JSON.stringify(error),
        ...actionRunOutcome.write(outcome, '', ids),
      };
      const sets = Object.keys(ended).map((name) => `${name} = ?`);
      const [row] = await returned((change, onRows) =>
        change.statement(
          `UPDATE action_runs SET ${sets.join(', ')} WHERE n = ? AND status = 'running' RETURNING *`,
          [...Object.values(ended), n],
          onRows,
        ),
      );
      if (row === undefined) throw new WeirError('not_found', `No run ${n} of an action goes on.`);
      own.delete(n);
      return read(row);
    },
    async get(n) {
      const [row] = await engine.select(selectSql(engine, actionRuns, 'WHERE n = ?'), [n]);
      return row && { ...read(row), outcome: actionRunOutcome.read(row, '', ids) };
    },
    list: (request) =>
      page(
        engine,
        {
          select: `SELECT ${selectList(listed, engine.name)} FROM action_runs`,
          from: 'action_runs',
          where: [],
          key: ['n'],
          read,
          cursorOf: (record: ActionRunRecord) => String(record.n),
          placeOf: placeOfNumber,
        },
        request,
      ),
    async endLost(at) {
      const [lost, ...values] = here.lost(own);
      const rows = await returned((change, onRows) =>
        change.statement(
          `UPDATE action_runs SET status = 'crashed', ended_at = ?
           WHERE status = 'running' AND ${lost} RETURNING n`,
          [at, ...values],
          onRows,
        ),
      );
      return rows.length;
    },
    async prune(keep) {
      const rows = await engine.select('SELECT n, started_at FROM action_runs ORDER BY n');
      const oldestFirst = rows.map((row) => {
        return { n: row['n'] as number, ms: row['started_at'] as number, bytes: 0 };
      });
      const cut = cutOf(oldestFirst, { count: oldestFirst.length, bytes: 0 }, keep);
      if (cut === undefined) return 0;
      const gone = await returned((change, onRows) =>
        change.statement(
          `DELETE FROM action_runs WHERE n <= ? AND status <> 'running' RETURNING n`,
          [cut.newest.n],
          onRows,
        ),
      );
      return gone.length;
    },
  };
}
