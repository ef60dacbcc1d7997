import { hopsOfTrigger } from '../../../../protocol/host.ts';
import { parseEventId } from '../../event-id.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
  DeliveryTable,
  Outgoing,
} from '../../history/deliveries.ts';
import type { Value } from '../arrays.ts';
import { triggerOf } from '../commit/inbox.ts';
import { type Engine, write } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { deliveries } from '../../schema/history.ts';
import { json, text, textOrNull } from '../fields.ts';
import type { Row } from '../row-table.ts';
import { page, placeOfNumber } from '../../tables/paging.ts';
import { pruneDeliveries } from './prune.ts';
import type { Webhooks } from '../../tables/webhooks.ts';

export interface Deliveries extends DeliveryTable {
  /** Deliveries of an emitter, in the order of emission. */
  open(emitter: number): Promise<DeliveryRecord[]>;
}

export function createDeliveries(engine: Engine, webhooks: Pick<Webhooks, 'has'>): Deliveries {
  const { keys, read, numbers } = engine;
  const recordOf = (row: Row): DeliveryRecord => deliveries.read(row, keys);
  return {
    async get(n) {
      const [row] = await read('SELECT * FROM deliveries WHERE n = $1', [n]);
      return row && recordOf(row);
    },
    list(request) {
      const where: [string, ...Value[]][] = [];
      if (request.webhookId !== undefined) where.push(['webhook_id = ?', request.webhookId]);
      if (request.status !== undefined) where.push(['status = ?', request.status]);
      const listing = {
        select: 'SELECT * FROM deliveries',
        from: 'deliveries',
        where,
        key: ['n'],
        read: recordOf,
        cursorOf: (record: DeliveryRecord) => String(record.n),
        placeOf: placeOfNumber,
      };
      return page(tableEngine(engine), listing, request);
    },
    failed: async ({ webhookId, since = 0 }) =>
      (
        await read(
          `SELECT * FROM deliveries WHERE status IN ('retrying', 'exhausted') AND created_at >= $1
             AND ($2::text IS NULL OR webhook_id = $2)
             AND webhook_id IN (SELECT id FROM webhooks) ORDER BY n`,
          [since, webhookId],
        )
      ).map(recordOf),
    async ofEvent(emitterId, eventId) {
      const place = parseEventId(eventId);
      if (place === undefined) return [];
      const rows = await read(
        'SELECT * FROM deliveries WHERE emitter = $1 AND ms = $2 AND seq = $3 ORDER BY n',
        [keys.rowOf(emitterId), place.ms, place.seq],
      );
      return rows.map(recordOf);
    },
    attempts: async (n) =>
      (
        await read('SELECT record, body FROM attempts WHERE delivery = $1 ORDER BY number', [n])
      ).map((row) => {
        // The body is stored beside the record, as it was sent: it is large, and would be escaped inside.
        const record = json(row, 'record') as AttemptRecord;
        return { ...record, request: { ...record.request, body: text(row, 'body') } };
      }),
    open: async (emitter) =>
      (
        await read(
          `SELECT * FROM deliveries
           WHERE emitter = $1 AND status IN ('pending', 'retrying') ORDER BY n`,
          [emitter],
        )
      ).map(recordOf),
    async outgoing(n) {
      const [row] = await read(
        `SELECT d.*, e.emit_id, e.payload, a.meta FROM deliveries d
         LEFT JOIN events e ON e.emitter = d.emitter AND e.ms = d.ms AND e.seq = d.seq
         LEFT JOIN accepted a ON a.emitter = d.emitter AND a.n = e.invocation WHERE d.n = $1`,
        [n],
      );
      return row && outgoingOf(row);
    },
    async record(fence, delivery, attempt, next) {
      const { n, webhookId, emitterId } = delivery;
      keys.ownedIfThere({ id: emitterId, fence });
      // The webhook may have been deleted while the attempt was on its way.
      const goesOn = next.nextAt !== null && webhooks.has(webhookId);
      const moved: DeliveryRecord = {
        ...delivery,
        status: next.nextAt === null || goesOn ? next.status : 'cancelled',
        attempts: delivery.attempts + 1,
        nextAt: goesOn ? next.nextAt : null,
        lastStatus: attempt.response?.status ?? null,
        lastError: attempt.error?.message ?? null,
      };
      const { body, ...request } = attempt.request;
      await write(engine, (change) =>
        // Its emitter may have been deleted while the attempt was on its way.
        change.run(
          `WITH moved AS (
             UPDATE deliveries SET status = $2, attempts = $3, next_at = $4, last_status = $5,
               last_error = $6 WHERE n = $1 RETURNING n)
           INSERT INTO attempts (delivery, number, record, body)
           SELECT n, $7, $8, $9 FROM moved`,
          [
            n,
            moved.status,
            moved.attempts,
            moved.nextAt,
            moved.lastStatus,
            moved.lastError,
            numbers.next(),
            JSON.stringify({ ...attempt, request }),
            body,
          ],
        ),
      );
      return moved;
    },
    prune: (owner, keep) => pruneDeliveries(engine, owner, keep),
  };

  function outgoingOf(row: Row): Outgoing {
    const emitId = textOrNull(row, 'emit_id');
    if (emitId === null) return { delivery: recordOf(row), message: undefined };
    // The run that emitted it; a hook, and one that asked for nothing to be kept, has no trigger.
    const hops = 1 + hopsOfTrigger(triggerOf(row));
    return { delivery: recordOf(row), message: { emitId, payload: text(row, 'payload'), hops } };
  }
}
