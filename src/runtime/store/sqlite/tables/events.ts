import type { Engine } from '../engine.ts';
import { tableEngine } from '../table-engine.ts';
import { parseEventId } from '../../event-id.ts';
import { bucketOf, overTime, readBucket } from './over-time.ts';
import { page } from '../../tables/paging.ts';
import type { Row } from '../wasm/row.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { SqlValue } from '../wasm/statement.ts';
import type { EventRecord, EventTable } from '../../history/events.ts';
import type { Row as Values } from '../../schema/column.ts';
import { events, kinds } from '../../schema/history.ts';
import { selectList } from '../../schema/table.ts';
import { pruneEvents } from './prune.ts';

const columns = selectList(events, 'sqlite', 'events');
const select = `SELECT ${columns} FROM events`;

export function createEvents(engine: Engine, search: EventSearch): EventTable {
  const { db, groups, keys, counts } = engine;
  const read = (row: Row): EventRecord => events.read(row.all(), keys);
  return {
    async get(emitterId, id) {
      const place = parseEventId(id);
      if (place === undefined) return undefined;
      return db
        .prepare(`${select} WHERE emitter = ? AND ms = ? AND seq = ?`)
        .get(read, rowOf(emitterId), place.ms, place.seq);
    },
    async list(emitterId, request) {
      const where: [string, ...SqlValue[]][] = [['emitter = ?', rowOf(emitterId)]];
      if (request.channel !== undefined) where.push(['channel = ?', request.channel]);
      const reserved = request.channel?.startsWith('$') === true;
      if (reserved) where.push(['is_drop <> ?', kinds.drop]);
      else if (request.dropped === true) where.push(['is_drop <= ?', kinds.drop]);
      else where.push(['is_drop = ?', kinds.emitted]);
      if (request.search !== undefined) {
        where.push(search.condition(rowOf(emitterId) ?? 0, request.search));
      }
      const listing = {
        select,
        from: 'events',
        where,
        key: ['ms', 'seq'],
        read: (row: Values) => events.read(row, keys),
        cursorOf: (record: EventRecord) => record.id,
        placeOf: placeOfEvent,
      };
      return page(tableEngine(engine), listing, request);
    },
    // The numbers of an invocation's events were assigned by one commit and are adjacent; those of an execution, leg by
    // leg.
    ofInvocation: async (n) =>
      db
        .prepare(
          `SELECT ${columns} FROM invocations i
           JOIN events ON events.n >= i.first_event
             AND events.n < i.first_event + i.emitted + i.dropped + i.scheduled
           WHERE i.emitter IN (SELECT row FROM emitters) AND i.n = ?1 AND events.invocation = i.n
           UNION
           SELECT ${columns} FROM leg_events l
           JOIN events ON events.n >= l.first AND events.n < l.first + l.count
           WHERE l.execution = ?1 AND events.invocation = l.execution
           ORDER BY ms, seq`,
        )
        .all(read, n),
    async after(emitterId, id, limit) {
      const { ms, seq } = parseEventId(id) ?? { ms: 0, seq: 0 };
      return db
        .prepare(
          `${select} WHERE emitter = ? AND (ms, seq) > (?, ?) AND is_drop = 0
           ORDER BY ms, seq LIMIT ?`,
        )
        .all(read, rowOf(emitterId), ms, seq, limit);
    },
    countOverTime: async (emitterId, span) =>
      overTime(
        span,
        db
          .prepare(
            `SELECT ${bucketOf('ms')} AS bucket, count(*) AS count FROM events
             WHERE emitter = ?3 AND ms >= ?1 AND is_drop = 0 GROUP BY bucket`,
          )
          .all(readBucket, span.from, span.bucketMs, rowOf(emitterId)),
      ),
    delete: (owner, range) =>
      groups.writeAlone(() => {
        const key = keys.ownedIfThere(owner);
        if (key === undefined) return 0;
        keys.saveNewestEvent(key);
        counts.forget(key.row);
        const conditions = ['emitter = ?'];
        const values: SqlValue[] = [key.row];
        for (const [id, comparison] of [
          [range.start, '>='],
          [range.end, '<='],
        ] as const) {
          if (id === undefined) continue;
          const place = placeOfEvent(id);
          conditions.push(`(ms, seq) ${comparison} (?, ?)`);
          values.push(...(place ?? [null, null]));
        }
        if (range.channel !== undefined) {
          conditions.push('channel = ?');
          values.push(range.channel);
        }
        db.prepare(`DELETE FROM events WHERE ${conditions.join(' AND ')}`).run(...values);
        return db.changes;
      }),
    prune: (owner, keep) => groups.writeAlone(() => pruneEvents(engine, owner, keep)),
    index: (emitterId, most) =>
      groups.writeAlone(() => {
        const key = keys.get(emitterId);
        return key !== undefined && search.index(key.row, most);
      }),
  };

  function rowOf(emitterId: string): number | undefined {
    return keys.get(emitterId)?.row;
  }
}

function placeOfEvent(id: string): SqlValue[] | undefined {
  const place = parseEventId(id);
  return place === undefined ? undefined : [place.ms, place.seq];
}
