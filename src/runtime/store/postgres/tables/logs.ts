import type { LogRecord, LogTable, NewLog } from '../../history/logs.ts';
import type { Change } from '../change.ts';
import type { OwnedKey } from '../emitter-keys.ts';
import { type Engine, write } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import * as schema from '../../schema/history.ts';
import type { Row } from '../row-table.ts';
import { page, placeOfNumber } from '../../tables/paging.ts';
import { pruneLogs } from './prune.ts';
import * as tables from './row-tables.ts';

export interface Logs extends LogTable {
  /** Within a write: keeps the line, returns its id. */
  insert(change: Change, key: OwnedKey, invocation: number | null, line: NewLog): number;
  /** Lines of an emitter's row with numbers from `first` to below `end`, as far as they are kept. */
  ofRange(emitter: number, first: number, end: number): Promise<LogRecord[]>;
}

export function createLogs(engine: Engine): Logs {
  const { keys, read } = engine;
  const recordOf = (row: Row): LogRecord => schema.logs.read(row, keys);
  const insert: Logs['insert'] = (change, key, invocation, line) => {
    const n = ++key.owned.lastLog;
    change.insert(tables.logs, { emitter: key.row, n, invocation, ...line });
    return n;
  };
  return {
    insert,
    list: (emitterId, request) =>
      page(
        tableEngine(engine),
        {
          select: 'SELECT * FROM logs',
          from: 'logs',
          where: [['emitter = ?', keys.rowOf(emitterId)]],
          key: ['n'],
          read: recordOf,
          cursorOf: (record) => String(record.id),
          placeOf: placeOfNumber,
        },
        request,
      ),
    // An invocation's lines were written by one commit and are adjacent.
    ofInvocation: async (n) =>
      (
        await read(
          `SELECT l.* FROM ends e
           JOIN logs l ON l.emitter = e.emitter AND l.n >= e.first_log AND l.n < e.first_log + e.logs
           WHERE e.emitter = ANY (SELECT row FROM emitters) AND e.n = $1 AND l.invocation = e.n
           ORDER BY l.n`,
          [n],
        )
      ).map(recordOf),
    ofRange: async (emitter, first, end) =>
      (
        await read('SELECT * FROM logs WHERE emitter = $1 AND n >= $2 AND n < $3 ORDER BY n', [
          emitter,
          first,
          end,
        ])
      ).map(recordOf),
    after: async (emitterId, id, limit) =>
      (
        await read('SELECT * FROM logs WHERE emitter = $1 AND n > $2 ORDER BY n LIMIT $3', [
          keys.rowOf(emitterId),
          id,
          limit,
        ])
      ).map(recordOf),
    append: ({ id, fence }, line) =>
      write(engine, (change) => insert(change, keys.owned(id, fence), null, line)),
    prune: (owner, keep) => pruneLogs(engine, owner, keep),
  };
}
