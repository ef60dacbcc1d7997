import { hopsOfTrigger, type Trigger } from '../../../../protocol/host.ts';
import type { Engine } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { parseEventId } from '../../event-id.ts';
import { page, placeOfNumber } from '../../tables/paging.ts';
import type { Row } from '../wasm/row.ts';
import type { SqlValue } from '../wasm/statement.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
  DeliveryTable,
  Outgoing,
} from '../../history/deliveries.ts';
import type { Row as Values } from '../../schema/column.ts';
import { deliveries } from '../../schema/history.ts';
import { pruneDeliveries } from './prune.ts';
import type { Webhooks } from '../../tables/webhooks.ts';

const select = 'SELECT * FROM deliveries';

export interface Deliveries extends DeliveryTable {
  /** Deliveries of all emitters, in the order of emission. */
  open(): DeliveryRecord[];
}

export function createDeliveries(engine: Engine, webhooks: Webhooks): Deliveries {
  const { db, groups, keys } = engine;
  const read = (row: Row): DeliveryRecord => deliveries.read(row.all(), keys);
  const one = db.prepare(`${select} WHERE n = ?`);
  const oneWithEvent = db.prepare(
    `SELECT d.*, e.emit_id, e.payload, t.meta FROM deliveries d
     LEFT JOIN events e ON e.emitter = d.emitter AND e.ms = d.ms AND e.seq = d.seq
     LEFT JOIN triggers t ON t.n = e.invocation WHERE d.n = ?`,
  );
  const openOnes = db.prepare(`${select} WHERE status IN ('pending', 'retrying') ORDER BY n`);
  const insertAttempt = db.prepare(
    'INSERT INTO attempts (delivery, record, body) VALUES (?, ?, ?)',
  );
  const move = db.prepare(
    `UPDATE deliveries SET status = ?, attempts = ?, next_at = ?, last_status = ?, last_error = ?
     WHERE n = ?`,
  );
  return {
    get: async (n) => one.get(read, n),
    async list(request) {
      const where: [string, SqlValue][] = [];
      if (request.webhookId !== undefined) where.push(['webhook_id = ?', request.webhookId]);
      if (request.status !== undefined) where.push(['status = ?', request.status]);
      const listing = {
        select,
        from: 'deliveries',
        where,
        key: ['n'],
        read: (row: Values) => deliveries.read(row, keys),
        cursorOf: (record: DeliveryRecord) => String(record.n),
        placeOf: placeOfNumber,
      };
      return page(tableEngine(engine), listing, request);
    },
    failed: async ({ webhookId, since = 0 }) =>
      db
        .prepare(
          `${select} WHERE status IN ('retrying', 'exhausted') AND created_at >= ?1
             AND (?2 IS NULL OR webhook_id = ?2)
             AND webhook_id IN (SELECT id FROM webhooks) ORDER BY n`,
        )
        .all(read, since, webhookId),
    async ofEvent(emitterId, eventId) {
      const place = parseEventId(eventId);
      if (place === undefined) return [];
      return db
        .prepare(`${select} WHERE emitter = ? AND ms = ? AND seq = ? ORDER BY n`)
        .all(read, keys.get(emitterId)?.row, place.ms, place.seq);
    },
    attempts: async (n) =>
      db
        .prepare('SELECT record, body FROM attempts WHERE delivery = ? ORDER BY row')
        .all(readAttempt, n),
    open: () => openOnes.all(read),
    outgoing: async (n) => oneWithEvent.get(readOutgoing, n),
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
      const write = (): void => {
        move.run(moved.status, moved.attempts, moved.nextAt, moved.lastStatus, moved.lastError, n);
        // Its emitter may have been deleted while the attempt was on its way.
        if (db.changes === 0) return;
        const { body, ...request } = attempt.request;
        insertAttempt.run(n, JSON.stringify({ ...attempt, request }), body);
      };
      // A person waits for one by hand. Else the receiver has it, and the next one does not wait: at
      // worst a crash sends it once more.
      const byHand = attempt.manual === true;
      await (byHand ? groups.write(write) : groups.writeSoon(write)).durable;
      return moved;
    },
    prune: (owner, keep) => groups.writeAlone(() => pruneDeliveries(engine, owner, keep)),
  };

  function readOutgoing(row: Row): Outgoing {
    const emitId = row.textOrNull('emit_id');
    if (emitId === null) return { delivery: read(row), message: undefined };
    // The run that emitted it; a hook, and one that asked for nothing to be kept, has no trigger.
    const meta = row.textOrNull('meta');
    const hops = 1 + (meta === null ? 0 : hopsOfTrigger(row.json('meta') as Trigger));
    return { delivery: read(row), message: { emitId, payload: row.text('payload'), hops } };
  }
}

/** The body is stored beside the record, as it was sent: it is large, and would be escaped inside. */
function readAttempt(row: Row): AttemptRecord {
  const record = row.json('record') as AttemptRecord;
  const body = row.textOrNull('body');
  // Before schema 4 it lay within.
  return body === null ? record : { ...record, request: { ...record.request, body } };
}
