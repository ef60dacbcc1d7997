import { parseEventId } from '../../event-id.ts';
import type { EventRecord, EventTable } from '../../history/events.ts';
import type { Value } from '../arrays.ts';
import { type Engine, write } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { events, kinds } from '../../schema/history.ts';
import { number } from '../fields.ts';
import type { Row } from '../row-table.ts';
import type { EventSearch } from '../search.ts';
import { countOverTime } from './over-time.ts';
import { page } from '../../tables/paging.ts';
import { saveNewestEvent } from './newest-event.ts';
import { pruneEvents } from './prune.ts';

export function createEvents(engine: Engine, search: EventSearch): EventTable {
  const { keys, read } = engine;
  const recordOf = (row: Row): EventRecord => events.read(row, keys);
  return {
    async get(emitterId, id) {
      const place = parseEventId(id);
      if (place === undefined) return undefined;
      const [row] = await read('SELECT * FROM events WHERE emitter = $1 AND ms = $2 AND seq = $3', [
        keys.rowOf(emitterId),
        place.ms,
        place.seq,
      ]);
      return row && recordOf(row);
    },
    async list(emitterId, request) {
      const emitter = keys.rowOf(emitterId);
      const where: [string, ...Value[]][] = [['emitter = ?', emitter]];
      if (request.channel !== undefined) where.push(['channel = ?', request.channel]);
      const reserved = request.channel?.startsWith('$') === true;
      if (reserved) where.push(['kind <> ?', kinds.drop]);
      else if (request.dropped === true) where.push(['kind <= ?', kinds.drop]);
      else where.push(['kind = ?', kinds.emitted]);
      if (request.search !== undefined) {
        where.push(await search.condition(emitter, request.search));
      }
      const listing = {
        select: 'SELECT * FROM events',
        from: 'events',
        where,
        key: ['ms', 'seq'],
        read: recordOf,
        cursorOf: (record: EventRecord) => record.id,
        placeOf: placeOfEvent,
      };
      return page(tableEngine(engine), listing, request);
    },
    ofInvocation: async (n) =>
      (
        await read('SELECT * FROM events WHERE invocation = $1 AND kind <> 2 ORDER BY ms, seq', [n])
      ).map(recordOf),
    async after(emitterId, id, limit) {
      const { ms, seq } = parseEventId(id) ?? { ms: 0, seq: 0 };
      const rows = await read(
        `SELECT * FROM events WHERE emitter = $1 AND (ms, seq) > ($2, $3) AND kind = 0
         ORDER BY ms, seq LIMIT $4`,
        [keys.rowOf(emitterId), ms, seq, limit],
      );
      return rows.map(recordOf);
    },
    countOverTime: (emitterId, span) =>
      countOverTime(
        engine,
        'FROM events WHERE emitter = $1 AND kind = 0',
        'ms',
        keys.rowOf(emitterId),
        span,
      ),
    async delete(owner, range) {
      let count = 0;
      await write(engine, (change) => {
        const key = keys.ownedIfThere(owner);
        if (key === undefined) return;
        saveNewestEvent(change, key);
        key.owned.counts.forget();
        const conditions = ['emitter = $1'];
        const values: Value[] = [key.row];
        for (const [id, comparison] of [
          [range.start, '>='],
          [range.end, '<='],
        ] as const) {
          if (id === undefined) continue;
          values.push(...(placeOfEvent(id) ?? [null, null]));
          conditions.push(
            `(ms, seq) ${comparison} ($${values.length - 1}::bigint, $${values.length}::bigint)`,
          );
        }
        if (range.channel !== undefined) {
          values.push(range.channel);
          conditions.push(`channel = $${values.length}`);
        }
        change.run(
          `WITH gone AS (DELETE FROM events WHERE ${conditions.join(' AND ')} RETURNING 1)
           SELECT count(*) AS count FROM gone`,
          values,
          ([row]) => (count = row === undefined ? 0 : number(row, 'count')),
        );
      });
      return count;
    },
    prune: (owner, keep) => pruneEvents(engine, owner, keep),
    async index(emitterId, most) {
      const emitter = keys.rowOf(emitterId);
      return emitter !== undefined && search.index(emitter, most);
    },
  };
}

function placeOfEvent(id: string): Value[] | undefined {
  const place = parseEventId(id);
  return place === undefined ? undefined : [place.ms, place.seq];
}
