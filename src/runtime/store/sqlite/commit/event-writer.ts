import type { Engine } from '../engine.ts';
import type { EventId } from '../../event-id.ts';
import type { DroppedEvent, NewEvent } from '../../history/events.ts';
import { kinds } from '../tables/event-kinds.ts';

/** Within a write: keeps what an invocation emitted, and what it emitted in vain. */
export interface EventWriter {
  event(source: number, invocation: number, id: EventId, event: NewEvent): void;
  notice(source: number, invocation: number, id: EventId, event: NewEvent): void;
  drop(source: number, invocation: number, id: EventId, drop: DroppedEvent): void;
}

export function createEventWriter({ db, marks, tallies }: Engine): EventWriter {
  const insertEvent = db.prepare(
    `INSERT INTO events (n, source, ms, seq, is_drop, channel, bytes, invocation, indexed_at,
       emit_id, dedupe_id, summary, ts, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertDrop = db.prepare(
    `INSERT INTO events (n, source, ms, seq, is_drop, channel, bytes, invocation, indexed_at,
       emit_id, dedupe_id, summary, reason, payload)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
  );
  const writeEvent = (
    kind: number,
    source: number,
    invocation: number,
    { ms, seq }: EventId,
    event: NewEvent,
  ): void => {
    const bytes = Buffer.byteLength(event.payload);
    tallies.events.added(source, kind, bytes);
    insertEvent.run(
      marks.next('event'),
      source,
      ms,
      seq,
      kind,
      event.channel,
      bytes,
      invocation,
      event.indexedAt,
      event.emitId,
      event.dedupeId,
      event.summary,
      event.ts,
      event.payload,
    );
  };
  return {
    event: (...event) => writeEvent(kinds.emitted, ...event),
    notice: (...event) => writeEvent(kinds.notice, ...event),
    drop(source, invocation, { ms, seq }, drop) {
      const bytes = Buffer.byteLength(drop.payload);
      tallies.events.added(source, kinds.drop, bytes);
      insertDrop.run(
        marks.next('event'),
        source,
        ms,
        seq,
        drop.channel,
        bytes,
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
