import { parseEventId } from '../../event-id.ts';
import {
  type ScheduledEmit,
  type ScheduledEmitTable,
  scheduledEmitId,
  type WaitingEmits,
} from '../../history/scheduled-emits.ts';
import type { Value } from '../arrays.ts';
import { type Engine, write } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { scheduledEmits } from '../../schema/history.ts';
import { number, numberOrNull } from '../fields.ts';
import type { Row } from '../row-table.ts';
import { page } from '../../tables/paging.ts';

/** How many are read at a time to find the due ones. */
const batch = 200;

export interface ScheduledEmits extends ScheduledEmitTable {
  waiting(emitter: number): Promise<WaitingEmits>;
}

export function createScheduledEmits(engine: Engine): ScheduledEmits {
  const { keys, read } = engine;
  const recordOf = (row: Row): ScheduledEmit => scheduledEmits.read(row, keys);
  return {
    async waiting(emitter) {
      const [row] = await read(
        `SELECT count(*) AS count, coalesce(sum(bytes), 0)::bigint AS bytes, min(due_at) AS next_at
         FROM scheduled_emits WHERE emitter = $1`,
        [emitter],
      );
      if (row === undefined) return { count: 0, bytes: 0, nextAt: undefined };
      return {
        count: number(row, 'count'),
        bytes: number(row, 'bytes'),
        nextAt: numberOrNull(row, 'next_at') ?? undefined,
      };
    },
    async get(emitterId, { ms, seq }) {
      const [row] = await read(
        'SELECT * FROM scheduled_emits WHERE emitter = $1 AND due_at = $2 AND n = $3',
        [keys.rowOf(emitterId), ms, seq],
      );
      return row && recordOf(row);
    },
    list: (emitterId, request) =>
      page(
        tableEngine(engine),
        {
          select: 'SELECT * FROM scheduled_emits',
          from: 'scheduled_emits',
          where: [['emitter = ?', keys.rowOf(emitterId)]],
          key: ['due_at', 'n'],
          read: recordOf,
          cursorOf: (emit: ScheduledEmit) => scheduledEmitId(emit),
          placeOf(cursor) {
            const place = parseEventId(cursor);
            return place && [place.ms, place.seq];
          },
        },
        request,
      ),
    async due(emitterId, at, most) {
      const emits: ScheduledEmit[] = [];
      let bytes = 0;
      let after = { dueAt: 0, n: -1 };
      for (;;) {
        const rows = await read(
          `SELECT * FROM scheduled_emits WHERE emitter = $1 AND (due_at, n) > ($2, $3)
           ORDER BY due_at, n LIMIT $4`,
          [keys.rowOf(emitterId), after.dueAt, after.n, batch],
        );
        for (const row of rows) {
          const emit = recordOf(row);
          bytes += number(row, 'bytes');
          const fits = emits.length < most.count && (bytes <= most.bytes || emits.length === 0);
          if (emit.dueAt > at || !fits) return { emits, nextAt: emit.dueAt };
          emits.push(emit);
          after = emit;
        }
        if (rows.length < batch) return { emits, nextAt: undefined };
      }
    },
    async cancel(owner, { start, end }) {
      const gone = { count: 0, bytes: 0 };
      await write(engine, (change) => {
        const key = keys.ownedIfThere(owner);
        if (key === undefined) return;
        const conditions = ['emitter = $1'];
        const values: Value[] = [key.row];
        for (const [place, comparison] of [
          [start, '>='],
          [end, '<='],
        ] as const) {
          if (place === undefined) continue;
          values.push(place.ms, place.seq);
          conditions.push(`(due_at, n) ${comparison} ($${values.length - 1}, $${values.length})`);
        }
        change.run(
          `WITH gone AS (DELETE FROM scheduled_emits WHERE ${conditions.join(' AND ')} RETURNING bytes)
           SELECT count(*) AS count, coalesce(sum(bytes), 0)::bigint AS bytes FROM gone`,
          values,
          ([row]) => {
            if (row === undefined) return;
            gone.count = number(row, 'count');
            gone.bytes = number(row, 'bytes');
          },
        );
      });
      return gone;
    },
  };
}
