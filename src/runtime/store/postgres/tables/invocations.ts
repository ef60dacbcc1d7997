import type { InvocationRecord, InvocationTable, StatusFilter } from '../../history/invocations.ts';
import { statusOfSuspicion, suspicionOf } from '../../history/suspicion.ts';
import type { UnfinishedInvocation } from '../../ownership.ts';
import { arrayOf, type Value } from '../arrays.ts';
import { triggerOf } from '../commit/inbox.ts';
import { type Engine, write } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { invocations } from '../../schema/history.ts';
import type { Row } from '../row-table.ts';
import { countOverTime } from './over-time.ts';
import { page, placeOfNumber } from '../../tables/paging.ts';
import { pruneInvocations } from './prune.ts';

/** The rows are ordered by emitter, and there are few emitters: each is searched. */
const byNumber = 'emitter = ANY (SELECT row FROM emitters) AND n = $1';

export interface Invocations extends InvocationTable {
  /** In the inbox without an end, oldest first, hooks included. */
  unfinished(emitter: number): Promise<UnfinishedInvocation[]>;
  lastOf(emitter: number): Promise<InvocationRecord | undefined>;
  recordOf(row: Row): InvocationRecord;
}

export function createInvocations(engine: Engine): Invocations {
  const { keys, read } = engine;
  const recordOf = (row: Row): InvocationRecord => invocations.read(row, keys);
  return {
    recordOf,
    async lastOf(emitter) {
      const [row] = await read(
        'SELECT * FROM invocations WHERE emitter = $1 ORDER BY n DESC LIMIT 1',
        [emitter],
      );
      return row && recordOf(row);
    },
    async unfinished(emitter) {
      const rows = await read(
        `SELECT i.*, a.meta FROM invocations i
         JOIN accepted a ON a.emitter = i.emitter AND a.n = i.n
         WHERE i.emitter = $1 AND i.ended_at IS NULL AND i.status <> 'paused' ORDER BY i.n`,
        [emitter],
      );
      return rows.map((row) => ({
        record: recordOf(row),
        trigger: triggerOf(row),
        suspicion: suspicionOf(String(row['status'])),
      }));
    },
    async get(n) {
      const [row] = await read(`SELECT * FROM invocations WHERE ${byNumber}`, [n]);
      return row && recordOf(row);
    },
    async trigger(n) {
      const [row] = await read(`SELECT meta, body FROM accepted WHERE ${byNumber}`, [n]);
      return row && triggerOf(row);
    },
    list: (emitterId, request, filter) =>
      page(
        tableEngine(engine),
        {
          select: 'SELECT * FROM invocations',
          from: 'invocations',
          where: [
            ['emitter = ?', keys.rowOf(emitterId)],
            ...(filter === undefined ? [] : [ofStatus(filter)]),
          ],
          key: ['n'],
          read: recordOf,
          cursorOf: (record) => String(record.n),
          placeOf: placeOfNumber,
        },
        request,
      ),
    countFailedOverTime: (emitterId, span) =>
      countOverTime(
        engine,
        `FROM invocations WHERE emitter = $1 AND status IN ('failed', 'crashed')`,
        'created_at',
        keys.rowOf(emitterId),
        span,
      ),
    retry: ({ id, fence }, numbers) =>
      write(engine, (change) => {
        const { row, owned } = keys.owned(id, fence);
        const values = [row, arrayOf('bigint', numbers)];
        change.run('DELETE FROM ends WHERE emitter = $1 AND n = ANY ($2::bigint[])', values);
        change.run(
          `UPDATE accepted SET attempt = attempt + 1, status = 'queued', started_at = NULL
           WHERE emitter = $1 AND n = ANY ($2::bigint[])`,
          values,
        );
        for (const n of numbers) {
          if (owned.open.has(n)) continue;
          owned.open.add(n);
          change.memory.onRefused(() => owned.open.delete(n));
        }
      }),
    markCutOff: (owner, numbers) =>
      write(engine, (change) => {
        const key = keys.ownedIfThere(owner);
        if (key === undefined) return;
        change.run(
          `UPDATE accepted a SET status = 'running'
           WHERE emitter = $1 AND n = ANY ($2::bigint[])
             AND NOT EXISTS (SELECT 1 FROM ends e WHERE e.emitter = a.emitter AND e.n = a.n)`,
          [key.row, arrayOf('bigint', numbers)],
        );
      }),
    markSuspects: ({ id, fence }, marks) =>
      write(engine, (change) => {
        const { row } = keys.owned(id, fence);
        for (const one of marks) {
          change.run(
            `UPDATE accepted a SET status = $3, attempt = $4 WHERE emitter = $1 AND n = $2
               AND ($5 OR status LIKE 'alone:%')
               AND NOT EXISTS (SELECT 1 FROM ends e WHERE e.emitter = a.emitter AND e.n = a.n)`,
            [row, one.n, statusOfSuspicion(one), one.attempt, one.isAlone],
          );
        }
      }),
    prune: (owner, keep) => pruneInvocations(engine, owner, keep),
  };
}

function ofStatus({ status, running }: StatusFilter): [condition: string, ...values: Value[]] {
  const goesOn = 'n = ANY (?::bigint[])';
  const numbers = arrayOf('bigint', running);
  if (status === 'running') return [`ended_at IS NULL AND ${goesOn}`, numbers];
  if (status === 'queued') return [`ended_at IS NULL AND NOT ${goesOn}`, numbers];
  return ['status = ?', status];
}
