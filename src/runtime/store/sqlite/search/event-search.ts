import type { EventId } from '../../event-id.ts';
import { tableExists } from '../inspect-database.ts';
import type { Engine } from '../engine.ts';
import type { Connection } from '../wasm/connection.ts';
import type { SqlValue } from '../wasm/statement.ts';
import { matcherOf, searchedText } from '../../search/words.ts';
import { dropEventText, eventText, indexEvents } from './event-text.ts';
import { matchOf } from './match.ts';

/** Searching in events: what is indexed is asked of the index, the rest is read. Retention bounds both. */
export interface EventSearch {
  /** Within a write: indexes the next events of an emitter, at most so many. True when there are more. */
  index(emitterRow: number, most: number): boolean;
  /** For a `WHERE` over an emitter's events: those with all these words; and the values it is bound to. */
  condition(emitterRow: number, query: string): [condition: string, ...values: SqlValue[]];
  /** Within the write that deletes the emitter. */
  forget(emitterRow: number): void;
}

/** In place of the row of an emitter: entries whose emitter is gone. */
const gone = 0;

/** How often, in new entries, it is asked whether most of them are of events that are gone. */
const checkEvery = 5000;

/** A backup comes without it: then every event is yet to be indexed. */
export function ensureEventIndex(db: Connection): void {
  if (tableExists(db, 'event_text')) return;
  db.transaction(() => {
    for (const statement of eventText) db.run(statement);
  });
}

export function createEventSearch({ db }: Pick<Engine, 'db'>): EventSearch {
  const nothingIndexed: EventId = { ms: 0, seq: -1 };
  const indexed = new Map<number, EventId>();
  const save = db.prepare(
    `INSERT INTO indexed_events (emitter, ms, seq, entries) VALUES (?, ?, ?, ?)
     ON CONFLICT (emitter) DO UPDATE SET ms = excluded.ms, seq = excluded.seq,
       entries = entries + excluded.entries`,
  );
  /** In the index, also of events that are gone. */
  let entries = 0;
  let checkedAt = 0;
  for (const row of db.prepare('SELECT * FROM indexed_events').each()) {
    indexed.set(row.number('emitter'), { ms: row.number('ms'), seq: row.number('seq') });
    entries += row.number('entries');
  }

  return {
    index(emitterRow, most) {
      if (isMostlyStale()) rebuild();
      const { ms, seq } = indexedOf(emitterRow);
      const ahead = db
        .prepare(
          'SELECT ms, seq FROM events WHERE emitter = ? AND (ms, seq) > (?, ?) ORDER BY ms, seq LIMIT ?',
        )
        .all(
          (row) => ({ ms: row.number('ms'), seq: row.number('seq') }),
          emitterRow,
          ms,
          seq,
          most + 1,
        );
      const last = ahead.slice(0, most).at(-1);
      if (last === undefined) return false;
      db.prepare(indexEvents).run(emitterRow, ms, seq, last.ms, last.seq);
      const added = db.changes;
      entries += added;
      save.run(emitterRow, last.ms, last.seq, added);
      indexed.set(emitterRow, last);
      return ahead.length > most;
    },
    condition(emitterRow, query) {
      const match = matchOf(query, emitterRow);
      if (match === undefined) return ['FALSE'];
      const isIndexed = 'n IN (SELECT docid FROM event_text WHERE text MATCH ?)';
      const others = findNew(emitterRow, query);
      if (others.length === 0) return [isIndexed, match];
      const isOther = 'n IN (SELECT value FROM json_each(?))';
      return [`(${isIndexed} OR ${isOther})`, match, JSON.stringify(others)];
    },
    forget(emitterRow) {
      indexed.delete(emitterRow);
      const left = db
        .prepare('DELETE FROM indexed_events WHERE emitter = ? RETURNING entries')
        .all((row) => row.number('entries'), emitterRow);
      for (const count of left) save.run(gone, 0, 0, count);
    },
  };

  function indexedOf(emitterRow: number): EventId {
    return indexed.get(emitterRow) ?? nothingIndexed;
  }

  /** Numbers of those whose words are not in the index yet. */
  function findNew(emitterRow: number, query: string): number[] {
    const matches = matcherOf(query);
    const { ms, seq } = indexedOf(emitterRow);
    const rows = db.prepare(
      'SELECT n, summary, payload FROM events WHERE emitter = ? AND (ms, seq) > (?, ?)',
    );
    const found: number[] = [];
    for (const row of rows.each(emitterRow, ms, seq)) {
      const text = searchedText(row.textOrNull('summary'), row.text('payload'));
      if (matches(text)) found.push(row.number('n'));
    }
    return found;
  }

  function isMostlyStale(): boolean {
    if (entries < checkedAt + checkEvery) return false;
    checkedAt = entries;
    const count = db.prepare(
      `SELECT count(*) AS count FROM indexed_events i
       JOIN events e ON e.emitter = i.emitter AND (e.ms, e.seq) <= (i.ms, i.seq)`,
    );
    return entries > 2 * (count.get((row) => row.number('count')) ?? 0);
  }

  function rebuild(): void {
    db.run(dropEventText);
    for (const statement of eventText) db.run(statement);
    db.run('DELETE FROM indexed_events');
    indexed.clear();
    checkedAt = 0;
    entries = 0;
  }
}
