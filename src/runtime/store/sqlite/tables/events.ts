import type { Engine } from '../engine.ts';
import { type EventId, formatEventId, parseEventId } from '../../event-id.ts';
import { overTime, readBucket } from './over-time.ts';
import { page } from './paging.ts';
import type { Row } from '../wasm/row.ts';
import type { EventFinder } from '../search/event-search.ts';
import type { SqlValue } from '../wasm/statement.ts';
import type { EventRecord, EventTable } from '../../history/events.ts';
import { kinds } from './event-kinds.ts';
import { pruneEvents } from './prune.ts';

const select = 'SELECT * FROM events';

export function createEvents(engine: Engine, search: EventFinder): EventTable {
  const { db, groups, keys, marks, tallies } = engine;
  return {
    get(sourceId, id) {
      const place = parseEventId(id);
      if (place === undefined) return undefined;
      return db
        .prepare(`${select} WHERE source = ? AND ms = ? AND seq = ?`)
        .get(read, rowOf(sourceId), place.ms, place.seq);
    },
    list(sourceId, request) {
      const where: [string, ...SqlValue[]][] = [['source = ?', rowOf(sourceId)]];
      if (request.channel !== undefined) where.push(['channel = ?', request.channel]);
      const reserved = request.channel?.startsWith('$') === true;
      if (reserved) where.push(['is_drop <> ?', kinds.drop]);
      else if (request.dropped === true) where.push(['is_drop <= ?', kinds.drop]);
      else where.push(['is_drop = ?', kinds.emitted]);
      if (request.search !== undefined) {
        where.push(search.condition(rowOf(sourceId) ?? 0, request.search));
      }
      const listing = {
        select,
        from: 'events',
        where,
        key: ['ms', 'seq'],
        newestFirst: true,
        read,
        cursorOf: (record: EventRecord) => record.id,
        placeOf: placeOfEvent,
      };
      return page(db, listing, request);
    },
    // An invocation's events were written by one commit and lie side by side.
    ofInvocation: (n) =>
      db
        .prepare(
          `SELECT events.* FROM invocations i
           JOIN events ON events.n >= i.first_event
             AND events.n < i.first_event + i.emitted + i.dropped
           WHERE i.source IN (SELECT row FROM sources) AND i.n = ? AND events.invocation = i.n
           ORDER BY ms, seq`,
        )
        .all(read, n),
    after(sourceId, id, limit) {
      const { ms, seq } = parseEventId(id) ?? { ms: 0, seq: 0 };
      return db
        .prepare(
          `${select} WHERE source = ? AND (ms, seq) > (?, ?) AND is_drop = 0
           ORDER BY ms, seq LIMIT ?`,
        )
        .all(read, rowOf(sourceId), ms, seq, limit);
    },
    countOverTime: (sourceId, span) =>
      overTime(
        span,
        db
          .prepare(
            `SELECT (ms - ?1) / ?2 AS bucket, count(*) AS count FROM events
             WHERE source = ?3 AND ms >= ?1 AND is_drop = 0 GROUP BY bucket`,
          )
          .all(readBucket, span.from, span.bucketMs, rowOf(sourceId)),
      ),
    lastId: () => (marks.lastEventId === undefined ? undefined : formatEventId(marks.lastEventId)),
    delete: (sourceId, range) =>
      groups.writeAlone(() => {
        const source = rowOf(sourceId);
        if (source === undefined) return 0;
        marks.save();
        tallies.forget(source);
        const conditions = ['source = ?'];
        const values: SqlValue[] = [source];
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
    prune: (sourceId, keep) => groups.writeAlone(() => pruneEvents(engine, sourceId, keep)),
  };

  function rowOf(sourceId: string): number | undefined {
    return keys.get(sourceId)?.row;
  }

  function read(row: Row): EventRecord {
    return {
      id: formatEventId(idOf(row)),
      sourceId: keys.idOf(row.number('source')),
      invocation: row.number('invocation'),
      indexedAt: row.number('indexed_at'),
      emitId: row.text('emit_id'),
      channel: row.text('channel'),
      dedupeId: row.value('dedupe_id'),
      summary: row.textOrNull('summary'),
      ts: row.numberOrNull('ts'),
      payload: row.text('payload'),
      dropped: row.textOrNull('reason'),
    };
  }
}

function idOf(row: Row): EventId {
  return { ms: row.number('ms'), seq: row.number('seq') };
}

function placeOfEvent(id: string): SqlValue[] | undefined {
  const place = parseEventId(id);
  return place === undefined ? undefined : [place.ms, place.seq];
}
