import type { Engine } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { type EventId, parseEventId } from '../../event-id.ts';
import {
  type ScheduledEmit,
  type ScheduledEmitTable,
  scheduledEmitId,
  type WaitingEmits,
} from '../../history/scheduled-emits.ts';
import { scheduledEmits } from '../../schema/history.ts';
import { selectList } from '../../schema/table.ts';
import { page } from '../../tables/paging.ts';
import type { Row } from '../wasm/row.ts';
import type { SqlValue } from '../wasm/statement.ts';

const select = `SELECT ${selectList(scheduledEmits, 'sqlite')} FROM scheduled_emits`;

export interface ScheduledEmits extends ScheduledEmitTable {
  waiting(emitterRow: number): WaitingEmits;
}

export function createScheduledEmits(engine: Engine): ScheduledEmits {
  const { db, groups, keys } = engine;
  const read = (row: Row): ScheduledEmit => scheduledEmits.read(row.all(), keys);
  return {
    waiting: (emitterRow) =>
      db
        .prepare(
          `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes, min(due_at) AS next_at
           FROM scheduled_emits WHERE emitter = ?`,
        )
        .get(
          (row) => ({
            count: row.number('count'),
            bytes: row.number('bytes'),
            nextAt: row.numberOrNull('next_at') ?? undefined,
          }),
          emitterRow,
        ) ?? { count: 0, bytes: 0, nextAt: undefined },
    get: async (emitterId, { ms, seq }) =>
      db
        .prepare(`${select} WHERE n = ? AND due_at = ? AND emitter = ?`)
        .get(read, seq, ms, rowOf(emitterId)),
    list: async (emitterId, request) =>
      page(
        tableEngine(engine),
        {
          select,
          from: 'scheduled_emits',
          where: [['emitter = ?', rowOf(emitterId)]],
          key: ['due_at', 'n'],
          read: (row) => scheduledEmits.read(row, keys),
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
      const earliestFirst = db.prepare(`${select} WHERE emitter = ? ORDER BY due_at, n`);
      for (const row of earliestFirst.each(rowOf(emitterId))) {
        const dueAt = row.number('due_at');
        bytes += row.number('bytes');
        const fits = emits.length < most.count && (bytes <= most.bytes || emits.length === 0);
        if (dueAt > at || !fits) return { emits, nextAt: dueAt };
        emits.push(read(row));
      }
      return { emits, nextAt: undefined };
    },
    cancel: (owner, range) =>
      groups.writeAlone(() => {
        const gone = { count: 0, bytes: 0 };
        const key = keys.ownedIfThere(owner);
        if (key === undefined) return gone;
        const [where, values] = conditionOf(key.row, range);
        const removed = db
          .prepare(`DELETE FROM scheduled_emits WHERE ${where} RETURNING bytes`)
          .all((row) => row.number('bytes'), ...values);
        for (const bytes of removed) {
          gone.count += 1;
          gone.bytes += bytes;
        }
        return gone;
      }),
  };

  function rowOf(emitterId: string): number | undefined {
    return keys.get(emitterId)?.row;
  }
}

function conditionOf(
  emitter: number,
  { start, end }: { readonly start?: EventId; readonly end?: EventId },
): [condition: string, values: SqlValue[]] {
  const conditions = ['emitter = ?'];
  const values: SqlValue[] = [emitter];
  for (const [place, comparison] of [
    [start, '>='],
    [end, '<='],
  ] as const) {
    if (place === undefined) continue;
    conditions.push(`(due_at, n) ${comparison} (?, ?)`);
    values.push(place.ms, place.seq);
  }
  return [conditions.join(' AND '), values];
}
