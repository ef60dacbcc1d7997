import type { Engine } from '../engine.ts';
import { bucketOf, overTime, readBucket } from './over-time.ts';
import { page, placeOfNumber } from './paging.ts';
import type { Row } from '../wasm/row.ts';
import type { Trigger } from '../../../../protocol/host.ts';
import type { InvocationRecord, InvocationTable } from '../../history/invocations.ts';
import type { UnfinishedInvocation } from '../../ownership.ts';
import { pruneInvocations } from './prune.ts';
import { readTrigger } from './triggers.ts';

const select = 'SELECT * FROM invocations';
/** The rows lie by emitter, and there are few emitters: each is asked. */
const byNumber = 'emitter IN (SELECT row FROM emitters) AND n = ?';

export interface Invocations extends InvocationTable {
  /** In the inbox without an end, oldest first, hooks included. */
  unfinished(emitterRow: number): UnfinishedInvocation[];
  lastOf(emitterRow: number): InvocationRecord | undefined;
}

export function createInvocations(engine: Engine): Invocations {
  const { db, groups, keys } = engine;
  const last = db.prepare(`${select} WHERE emitter = ? ORDER BY n DESC LIMIT 1`);
  return {
    lastOf,
    unfinished: (emitterRow) =>
      db
        .prepare(`${select} WHERE emitter = ? AND ended_at IS NULL ORDER BY n`)
        .all(read, emitterRow)
        .map((record) => ({ record, trigger: trigger(record.n) })),
    get: async (n) => db.prepare(`${select} WHERE ${byNumber}`).get(read, n),
    trigger: async (n) => trigger(n),
    list: async (emitterId, request) =>
      page(
        db,
        {
          select,
          from: 'invocations',
          where: [['emitter = ?', keys.get(emitterId)?.row]],
          key: ['n'],
          newestFirst: true,
          read,
          cursorOf: (record) => String(record.n),
          placeOf: placeOfNumber,
        },
        request,
      ),
    countFailedOverTime: async (emitterId, span) =>
      overTime(
        span,
        db
          .prepare(
            `SELECT ${bucketOf('created_at')} AS bucket, count(*) AS count FROM invocations
             WHERE emitter = ?3 AND created_at >= ?1 AND status IN ('failed', 'crashed')
             GROUP BY bucket`,
          )
          .all(readBucket, span.from, span.bucketMs, keys.get(emitterId)?.row),
      ),
    retry: (numbers) =>
      groups.writeAlone(() => {
        const again = db.prepare(
          `UPDATE invocations
           SET attempt = attempt + 1, status = 'queued', started_at = NULL, ended_at = NULL
           WHERE ${byNumber}`,
        );
        for (const n of numbers) again.run(n);
      }),
    markCutOff: (numbers) =>
      groups.writeAlone(() => {
        const mark = db.prepare(`UPDATE invocations SET status = 'running' WHERE ${byNumber}`);
        for (const n of numbers) mark.run(n);
      }),
    prune: (emitterId, keep) => groups.writeAlone(() => pruneInvocations(engine, emitterId, keep)),
  };

  function lastOf(emitterRow: number): InvocationRecord | undefined {
    return last.get(read, emitterRow);
  }

  function trigger(n: number): Trigger | undefined {
    return db.prepare('SELECT * FROM triggers WHERE n = ?').get(readTrigger, n);
  }

  function read(row: Row): InvocationRecord {
    return {
      n: row.number('n'),
      emitterId: keys.idOf(row.number('emitter')),
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
