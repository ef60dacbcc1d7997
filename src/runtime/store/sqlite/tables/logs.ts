import { WeirError } from '../../../../protocol/errors.ts';
import type { Engine } from '../engine.ts';
import { page, placeOfNumber } from './paging.ts';
import type { Row } from '../wasm/row.ts';
import type { LogRecord, LogTable, NewLog } from '../../history/logs.ts';
import { pruneLogs } from './prune.ts';

export interface Logs extends LogTable {
  /** Within a write: keeps the line, returns its id. */
  insert(source: number, invocation: number | null, line: NewLog): number;
}

export function createLogs(engine: Engine): Logs {
  const { db, groups, keys, marks, tallies } = engine;
  const insert = db.prepare(
    'INSERT INTO logs (n, source, invocation, at, kind, level, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const logs: Logs = {
    insert(source, invocation, line) {
      const n = marks.next('log');
      tallies.logs.added(source);
      insert.run(n, source, invocation, line.at, line.kind, line.level, line.text);
      return n;
    },
    list: (sourceId, request) =>
      page(
        db,
        {
          select: 'SELECT * FROM logs',
          from: 'logs',
          where: [['source = ?', keys.get(sourceId)?.row]],
          key: ['n'],
          newestFirst: true,
          read,
          cursorOf: (record) => String(record.id),
          placeOf: placeOfNumber,
        },
        request,
      ),
    // An invocation's lines were written by one commit and lie side by side.
    ofInvocation: (n) =>
      db
        .prepare(
          `SELECT logs.* FROM invocations i
           JOIN logs ON logs.source = i.source
             AND logs.n >= i.first_log AND logs.n < i.first_log + i.logs
           WHERE i.source IN (SELECT row FROM sources) AND i.n = ? AND logs.invocation = i.n
           ORDER BY logs.n`,
        )
        .all(read, n),
    after: (sourceId, id, limit) =>
      db
        .prepare('SELECT * FROM logs WHERE source = ? AND n > ? ORDER BY n LIMIT ?')
        .all(read, keys.get(sourceId)?.row, id, limit),
    append: (sourceId, line) =>
      groups.writeAlone(() => {
        const key = keys.get(sourceId);
        if (key === undefined) throw new WeirError('not_found', `There is no source ${sourceId}.`);
        return logs.insert(key.row, null, line);
      }),
    prune: (sourceId, keep) => groups.writeAlone(() => pruneLogs(engine, sourceId, keep)),
  };
  return logs;

  function read(row: Row): LogRecord {
    return {
      id: row.number('n'),
      sourceId: keys.idOf(row.number('source')),
      invocation: row.numberOrNull('invocation'),
      at: row.number('at'),
      kind: row.text('kind') as NewLog['kind'],
      level: row.text('level') as NewLog['level'],
      text: row.text('text'),
    };
  }
}
