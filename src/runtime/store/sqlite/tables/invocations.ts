import type { Engine } from '../engine.ts';
import { overTime, readBucket } from './over-time.ts';
import { page, placeOfNumber } from './paging.ts';
import type { Row } from '../wasm/row.ts';
import type { InvocationRecord, InvocationTable } from '../../history/invocations.ts';
import { pruneInvocations } from './prune.ts';
import { readTrigger } from './triggers.ts';

const select = 'SELECT * FROM invocations';
/** The rows lie by source, and there are few sources: each is asked. */
const byNumber = 'source IN (SELECT row FROM sources) AND n = ?';

export function createInvocations(engine: Engine): InvocationTable {
  const { db, groups, keys } = engine;
  return {
    get: (n) => db.prepare(`${select} WHERE ${byNumber}`).get(read, n),
    trigger: (n) => db.prepare('SELECT * FROM triggers WHERE n = ?').get(readTrigger, n),
    list: (sourceId, request) =>
      page(
        db,
        {
          select,
          from: 'invocations',
          where: [['source = ?', keys.get(sourceId)?.row]],
          key: ['n'],
          newestFirst: true,
          read,
          cursorOf: (record) => String(record.n),
          placeOf: placeOfNumber,
        },
        request,
      ),
    last: (sourceId) =>
      db
        .prepare(`${select} WHERE source = ? ORDER BY n DESC LIMIT 1`)
        .get(read, keys.get(sourceId)?.row),
    countFailedOverTime: (sourceId, span) =>
      overTime(
        span,
        db
          .prepare(
            `SELECT (created_at - ?1) / ?2 AS bucket, count(*) AS count FROM invocations
             WHERE source = ?3 AND created_at >= ?1 AND status IN ('failed', 'crashed')
             GROUP BY bucket`,
          )
          .all(readBucket, span.from, span.bucketMs, keys.get(sourceId)?.row),
      ),
    unfinished: () => db.prepare(`${select} WHERE ended_at IS NULL ORDER BY n`).all(read),
    retry: (n) =>
      groups.writeAlone(() =>
        db
          .prepare(
            `UPDATE invocations
             SET attempt = attempt + 1, status = 'queued', started_at = NULL, ended_at = NULL
             WHERE ${byNumber}`,
          )
          .run(n),
      ),
    prune: (sourceId, keep) => groups.writeAlone(() => pruneInvocations(engine, sourceId, keep)),
  };

  function read(row: Row): InvocationRecord {
    return {
      n: row.number('n'),
      sourceId: keys.idOf(row.number('source')),
      cause: row.text('cause') as InvocationRecord['cause'],
      hook: row.textOrNull('hook') as InvocationRecord['hook'],
      status: row.text('status') as InvocationRecord['status'],
      attempt: row.number('attempt'),
      replayOf: row.numberOrNull('replay_of'),
      createdAt: row.number('created_at'),
      startedAt: row.numberOrNull('started_at'),
      endedAt: row.numberOrNull('ended_at'),
      emitted: row.number('emitted'),
      dropped: row.number('dropped'),
      error: row.isNull('error') ? null : (row.json('error') as InvocationRecord['error']),
    };
  }
}
