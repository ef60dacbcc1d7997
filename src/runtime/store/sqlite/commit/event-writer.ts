import type { Engine } from '../engine.ts';
import type { EventId } from '../../event-id.ts';
import type { DroppedEvent, NewEvent } from '../../history/events.ts';
import { kinds } from '../../schema/history.ts';

/** Within a write: keeps what an invocation emitted, and what it emitted in vain. */
export interface EventWriter {
  event(emitter: number, invocation: number, id: EventId, event: NewEvent): void;
  /** @param n that was set aside for it when it was scheduled */
  due(n: number, emitter: number, invocation: number, id: EventId, event: NewEvent): void;
  notice(emitter: number, invocation: number, id: EventId, event: NewEvent): void;
  drop(emitter: number, invocation: number, id: EventId, drop: DroppedEvent): void;
}

export function createEventWriter({ db, numbers, counts }: Engine): EventWriter {
  const insertEvent = db.prepare(
    `INSERT INTO events (n, emitter, ms, seq, is_drop, channel, bytes, invocation, indexed_at,
       emit_id, dedupe_id, summary, ts, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertDrop = db.prepare(
    `INSERT INTO events (n, emitter, ms, seq, is_drop, channel, bytes, invocation, indexed_at,
       emit_id, dedupe_id, summary, reason, payload)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
  );
  const writeEvent = (
    kind: number,
    n: number,
    emitter: number,
    invocation: number,
    { ms, seq }: EventId,
    event: NewEvent,
  ): void => {
    const bytes = Buffer.byteLength(event.payload);
    counts.events.added(emitter, kind, bytes);
    insertEvent.run(
      n,
      emitter,
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
    event: (...event) => writeEvent(kinds.emitted, numbers.next('event'), ...event),
    due: (...event) => writeEvent(kinds.emitted, ...event),
    notice: (...event) => writeEvent(kinds.notice, numbers.next('event'), ...event),
    drop(emitter, invocation, { ms, seq }, drop) {
      const bytes = Buffer.byteLength(drop.payload);
      counts.events.added(emitter, kinds.drop, bytes);
      insertDrop.run(
        numbers.next('event'),
        emitter,
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
