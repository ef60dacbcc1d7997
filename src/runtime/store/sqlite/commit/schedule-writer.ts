import type { Engine } from '../engine.ts';
import type { NewScheduledEmit, ScheduledEmit } from '../../history/scheduled-emits.ts';

/** Within a write: keeps what is to be emitted later, and takes it out when it is. */
export interface ScheduleWriter {
  keep(emitter: number, invocation: number, emit: NewScheduledEmit): void;
  /** False when it waits no longer. */
  take(emitter: number, emit: Pick<ScheduledEmit, 'n'>): boolean;
}

export function createScheduleWriter({ db, numbers }: Engine): ScheduleWriter {
  const insert = db.prepare(
    `INSERT INTO scheduled_emits (n, emitter, due_at, bytes, invocation, scheduled_at, hops,
       channel, dedupe_id, summary, ts, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM scheduled_emits WHERE n = ? AND emitter = ?');
  return {
    keep(emitter, invocation, emit) {
      insert.run(
        numbers.next('event'),
        emitter,
        emit.dueAt,
        Buffer.byteLength(emit.payload),
        invocation,
        emit.scheduledAt,
        emit.hops,
        emit.channel,
        emit.dedupeId,
        emit.summary,
        emit.ts,
        emit.payload,
      );
    },
    take(emitter, { n }) {
      remove.run(n, emitter);
      return db.changes > 0;
    },
  };
}
