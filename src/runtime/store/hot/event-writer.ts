import type { Engine } from '../engine.ts';
import type { EventId } from '../event-id.ts';
import type { DroppedEvent, NewEvent } from '../store.ts';

/** Within a write: keeps what an invocation emitted, and what it emitted in vain. */
export interface EventWriter {
  event(source: number, invocation: number, id: EventId, event: NewEvent): void;
  drop(source: number, invocation: number, id: EventId, drop: DroppedEvent): void;
}

export function createEventWriter({ db, marks }: Engine): EventWriter {
  const insertEvent = db.prepare(
    `INSERT INTO events (n, source, ms, seq, is_drop, channel, bytes, invocation, indexed_at,
       emit_id, dedupe_id, summary, ts, payload)
     VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertDrop = db.prepare(
    `INSERT INTO events (n, source, ms, seq, is_drop, channel, bytes, invocation, indexed_at,
       emit_id, dedupe_id, summary, reason, payload)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
  );
  return {
    event(source, invocation, { ms, seq }, event) {
      insertEvent.run(
        marks.next('event'),
        source,
        ms,
        seq,
        event.channel,
        Buffer.byteLength(event.payload),
        invocation,
        event.indexedAt,
        event.emitId,
        event.dedupeId,
        event.summary,
        event.ts,
        event.payload,
      );
    },
    drop(source, invocation, { ms, seq }, drop) {
      insertDrop.run(
        marks.next('event'),
        source,
        ms,
        seq,
        drop.channel,
        Buffer.byteLength(drop.payload),
        invocation,
        drop.at,
        drop.dedupeId,
        drop.summary,
        drop.reason,
        drop.payload,
      );
    },
  };
}
