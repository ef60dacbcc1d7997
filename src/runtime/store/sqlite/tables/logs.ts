import type { EmitterKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { page, placeOfNumber } from '../../tables/paging.ts';
import type { Row } from '../wasm/row.ts';
import type { LogRecord, LogTable, NewLog } from '../../history/logs.ts';
import { logs as table } from '../../schema/history.ts';
import { pruneLogs } from './prune.ts';

export interface Logs extends LogTable {
  /** Within a write: keeps the line, returns its id. */
  insert(key: EmitterKey, invocation: number | null, line: NewLog): number;
  /** Lines of an emitter's row with numbers from `first` to below `end`, as far as they are kept. */
  ofRange(emitter: number, first: number, end: number): LogRecord[];
}

export function createLogs(engine: Engine): Logs {
  const { db, groups, keys, counts } = engine;
  const read = (row: Row): LogRecord => table.read(row.all(), keys);
  const insert = db.prepare(
    'INSERT INTO logs (n, emitter, invocation, at, kind, level, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const logs: Logs = {
    insert(key, invocation, line) {
      const n = ++key.lastLog;
      counts.logs.added(key.row);
      insert.run(n, key.row, invocation, line.at, line.kind, line.level, line.text);
      return n;
    },
    list: async (emitterId, request) =>
      page(
        tableEngine(engine),
        {
          select: 'SELECT * FROM logs',
          from: 'logs',
          where: [['emitter = ?', keys.get(emitterId)?.row]],
          key: ['n'],
          read: (row) => table.read(row, keys),
          cursorOf: (record) => String(record.id),
          placeOf: placeOfNumber,
        },
        request,
      ),
    // An invocation's lines were written by one commit and are adjacent.
    ofInvocation: async (n) =>
      db
        .prepare(
          `SELECT logs.* FROM invocations i
           JOIN logs ON logs.emitter = i.emitter
             AND logs.n >= i.first_log AND logs.n < i.first_log + i.logs
           WHERE i.emitter IN (SELECT row FROM emitters) AND i.n = ? AND logs.invocation = i.n
           ORDER BY logs.n`,
        )
        .all(read, n),
    ofRange: (emitter, first, end) =>
      db
        .prepare('SELECT * FROM logs WHERE emitter = ? AND n >= ? AND n < ? ORDER BY n')
        .all(read, emitter, first, end),
    after: async (emitterId, id, limit) =>
      db
        .prepare('SELECT * FROM logs WHERE emitter = ? AND n > ? ORDER BY n LIMIT ?')
        .all(read, keys.get(emitterId)?.row, id, limit),
    append: ({ id, fence }, line) =>
      groups.writeAlone(() => logs.insert(keys.owned(id, fence), null, line)),
    prune: (owner, keep) => groups.writeAlone(() => pruneLogs(engine, owner, keep)),
  };
  return logs;
}
