import type { Engine } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { bucketOf, overTime, readBucket } from './over-time.ts';
import { page, placeOfNumber } from '../../tables/paging.ts';
import type { Row } from '../wasm/row.ts';
import type { Trigger } from '../../../../protocol/host.ts';
import { type RequestLine, requestLineOf } from '../../../../protocol/request-line.ts';
import type { InvocationRecord, InvocationTable, StatusFilter } from '../../history/invocations.ts';
import { statusOfSuspicion, suspicionOf } from '../../history/suspicion.ts';
import type { UnfinishedInvocation } from '../../ownership.ts';
import type { Row as Values } from '../../schema/column.ts';
import { invocations } from '../../schema/history.ts';
import { pruneInvocations } from './prune.ts';
import { readTrigger } from './triggers.ts';

/** The column that `read` reads: what `requestLineOf` tells of the trigger. @param of name of `invocations` in the query */
export const requestColumn = (of: string): string =>
  `(SELECT json_extract(meta, '$.method', '$.path') FROM triggers
   WHERE triggers.n = ${of}.n AND json_extract(meta, '$.kind') = 'http'
     AND json_extract(meta, '$.noStore') IS NOT 1) AS request`;
const select = `SELECT *, ${requestColumn('invocations')} FROM invocations`;
/** The rows are ordered by emitter, and there are few emitters: each is searched. */
const byNumber = 'emitter IN (SELECT row FROM emitters) AND n = ?';

export interface Invocations extends InvocationTable {
  /** In the inbox without an end, oldest first, hooks included. */
  unfinished(emitterRow: number): UnfinishedInvocation[];
  lastOf(emitterRow: number): InvocationRecord | undefined;
  /** Reads a row of `invocations` with its `requestColumn`. */
  read(row: Row): InvocationRecord;
}

export function createInvocations(engine: Engine): Invocations {
  const { db, groups, keys } = engine;
  const last = db.prepare(`${select} WHERE emitter = ? ORDER BY n DESC LIMIT 1`);
  return {
    lastOf,
    read,
    unfinished: (emitterRow) =>
      db
        .prepare(
          `SELECT invocations.*, meta, NULL AS body FROM invocations LEFT JOIN triggers USING (n)
           WHERE emitter = ? AND ended_at IS NULL AND status <> 'paused' ORDER BY n`,
        )
        .all((row) => {
          const trigger = row.isNull('meta') ? undefined : readTrigger(row);
          const suspicion = suspicionOf(row.text('status'));
          return { record: recordOf(row, requestLineOf(trigger)), trigger, suspicion };
        }, emitterRow),
    get: async (n) => db.prepare(`${select} WHERE ${byNumber}`).get(read, n),
    trigger: async (n) => trigger(n),
    list: async (emitterId, request, filter) =>
      page(
        tableEngine(engine),
        {
          select,
          from: 'invocations',
          where: [['emitter = ?', keys.get(emitterId)?.row], ...(filter ? [ofStatus(filter)] : [])],
          key: ['n'],
          read: readRow,
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
    retry: ({ id, fence }, numbers) =>
      groups.writeAlone(() => {
        const { row } = keys.owned(id, fence);
        const again = db.prepare(
          `UPDATE invocations
           SET attempt = attempt + 1, status = 'queued', started_at = NULL, ended_at = NULL
           WHERE emitter = ? AND n = ?`,
        );
        for (const n of numbers) again.run(row, n);
      }),
    markCutOff: (owner, numbers) =>
      groups.writeAlone(() => {
        const row = keys.ownedIfThere(owner)?.row;
        const mark = db.prepare(
          `UPDATE invocations SET status = 'running'
           WHERE emitter = ? AND n = ? AND ended_at IS NULL`,
        );
        for (const n of numbers) mark.run(row, n);
      }),
    markSuspects: ({ id, fence }, marks) =>
      groups.writeAlone(() => {
        const { row } = keys.owned(id, fence);
        const mark = db.prepare(
          `UPDATE invocations SET status = ?, attempt = ?
           WHERE emitter = ? AND n = ? AND ended_at IS NULL AND (? OR status LIKE 'alone:%')`,
        );
        for (const one of marks) {
          mark.run(statusOfSuspicion(one), one.attempt, row, one.n, one.isAlone ? 1 : 0);
        }
      }),
    prune: (owner, keep) => groups.writeAlone(() => pruneInvocations(engine, owner, keep)),
  };

  function lastOf(emitterRow: number): InvocationRecord | undefined {
    return last.get(read, emitterRow);
  }

  function trigger(n: number): Trigger | undefined {
    return db.prepare('SELECT * FROM triggers WHERE n = ?').get(readTrigger, n);
  }

  function read(row: Row): InvocationRecord {
    return readRow(row.all());
  }

  /** Reads the line of a request, which is stored with its trigger. */
  function readRow(row: Values): InvocationRecord {
    const { request } = row;
    const [method, path] =
      typeof request === 'string' ? (JSON.parse(request) as [string, string]) : [];
    return invocations.read({ ...row, method, path }, keys);
  }

  function recordOf(row: Row, request: RequestLine | null): InvocationRecord {
    return invocations.read({ ...row.all(), ...request }, keys);
  }
}

function ofStatus({ status, running }: StatusFilter): [condition: string, value: string] {
  const goesOn = 'n IN (SELECT value FROM json_each(?))';
  if (status === 'running') return [`ended_at IS NULL AND ${goesOn}`, JSON.stringify(running)];
  if (status === 'queued') return [`ended_at IS NULL AND NOT ${goesOn}`, JSON.stringify(running)];
  return ['status = ?', status];
}
