import { WeirError } from '../../../../protocol/errors.ts';
import type { ThrownError } from '../../../../protocol/host.ts';
import type {
  ActionRunRecord,
  ActionRunStatus,
  ActionRunTable,
  WholeActionRun,
} from '../../history/action-runs.ts';
import { cutOf } from '../../retention.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import { page, placeOfNumber } from './paging.ts';

/** What it did lies behind all else, where a list does not read it. */
const small =
  'SELECT n, name, key, version, path, agent, props, status, started_at, ended_at, error FROM action_runs';

export function createActionRuns({ db, groups }: Engine): ActionRunTable {
  const one = db.prepare(`${small} WHERE n = ?`);
  /** Those that this opening of the store has begun and that go on. */
  const own = new Set<number>();
  return {
    begin: (run) =>
      groups.writeAlone(() => {
        const n = db
          .prepare(
            `INSERT INTO action_runs (name, key, version, path, agent, props, status, started_at)
             VALUES (?, ?, ?, ?, ?, ?, 'running', ?) RETURNING n`,
          )
          .get(
            (row) => row.number('n'),
            run.name,
            run.key,
            run.version,
            run.path,
            run.agent,
            run.props,
            run.startedAt,
          );
        if (n === undefined) throw new Error('The number of a run is missing.');
        own.add(n);
        return { ...run, n, status: 'running', endedAt: null, error: null };
      }),
    end: (n, { status, endedAt, error, outcome }) =>
      groups.writeAlone(() => {
        db.prepare(
          `UPDATE action_runs SET status = ?, ended_at = ?, error = ?, exports = ?, return_value = ?,
             logs = ?, requests = ? WHERE n = ? AND status = 'running'`,
        ).run(
          status,
          endedAt,
          error === null ? null : JSON.stringify(error),
          outcome.exports,
          outcome.returnValue,
          outcome.logs,
          outcome.requests,
          n,
        );
        const ended = db.changes === 0 ? undefined : one.get(read, n);
        if (ended === undefined)
          throw new WeirError('not_found', `No run ${n} of an action goes on.`);
        own.delete(n);
        return ended;
      }),
    get: async (n) => db.prepare('SELECT * FROM action_runs WHERE n = ?').get(readWhole, n),
    list: async (request) =>
      page(
        db,
        {
          select: small,
          from: 'action_runs',
          where: [],
          key: ['n'],
          newestFirst: true,
          read,
          cursorOf: (record: ActionRunRecord) => String(record.n),
          placeOf: placeOfNumber,
        },
        request,
      ),
    // Who has opened the store is the only one.
    endLost: (at) =>
      groups.writeAlone(() => {
        const lost = db
          .prepare(`SELECT n FROM action_runs WHERE status = 'running'`)
          .all((row) => row.number('n'))
          .filter((n) => !own.has(n));
        const end = db.prepare(
          `UPDATE action_runs SET status = 'crashed', ended_at = ? WHERE n = ?`,
        );
        for (const n of lost) end.run(at, n);
        return lost.length;
      }),
    prune: (keep) =>
      groups.writeAlone(() => {
        const oldestFirst = db
          .prepare('SELECT n, started_at FROM action_runs ORDER BY n')
          .all((row) => ({ n: row.number('n'), ms: row.number('started_at'), bytes: 0 }));
        const cut = cutOf(oldestFirst, { count: oldestFirst.length, bytes: 0 }, keep);
        if (cut === undefined) return 0;
        db.prepare(`DELETE FROM action_runs WHERE n <= ? AND status <> 'running'`).run(
          cut.newest.n,
        );
        return db.changes;
      }),
  };
}

function read(row: Row): ActionRunRecord {
  const error = row.textOrNull('error');
  return {
    n: row.number('n'),
    name: row.text('name'),
    key: row.textOrNull('key'),
    version: row.textOrNull('version'),
    path: row.textOrNull('path'),
    agent: row.textOrNull('agent'),
    props: row.text('props'),
    status: row.text('status') as ActionRunStatus,
    startedAt: row.number('started_at'),
    endedAt: row.numberOrNull('ended_at'),
    error: error === null ? null : (JSON.parse(error) as ThrownError),
  };
}

function readWhole(row: Row): WholeActionRun {
  const exports = row.textOrNull('exports');
  return {
    ...read(row),
    outcome:
      exports === null
        ? null
        : {
            exports,
            returnValue: row.textOrNull('return_value'),
            logs: row.text('logs'),
            requests: row.textOrNull('requests'),
          },
  };
}
