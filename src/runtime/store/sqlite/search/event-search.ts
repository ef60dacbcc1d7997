import type { Engine } from '../engine.ts';
import type { SqlValue } from '../wasm/statement.ts';
import type { EventSearch } from '../../history/event-search.ts';
import { dropEventText, eventText, indexEvents, searchedText } from './event-text.ts';
import { matcherOf, matchOf } from './words.ts';

export interface EventFinder extends EventSearch {
  /** For a `WHERE` over a source's events: those with all these words; and the values it is bound to. */
  condition(sourceRow: number, query: string): [condition: string, ...values: SqlValue[]];
}

/** In `marks`: up to which event the words are in the index, and how many entries it has. */
const names = { indexed: 'event_text', entries: 'event_text_entries' };

/** How often, in new entries, it is asked whether most of them are of events that are gone. */
const checkEvery = 5000;

/**
 * Searching: what is indexed is asked of the index, the rest is read. Retention bounds both.
 */
export function createEventSearch({ db, groups, marks }: Engine): EventFinder {
  const saved = db.prepare('SELECT value FROM marks WHERE name = ?');
  const save = db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)');
  let indexed = saved.get((row) => row.number('value'), names.indexed) ?? 0;
  let entries = saved.get((row) => row.number('value'), names.entries) ?? 0;
  let checkedAt = 0;

  return {
    get behind() {
      return marks.peek('event') - 1 - indexed;
    },
    step: (most) =>
      groups.writeAlone(() => {
        if (isMostlyStale()) rebuild();
        const last = Math.min(indexed + most, marks.peek('event') - 1);
        db.prepare(indexEvents).run(indexed, last);
        moveTo(last, entries + db.changes);
      }),
    condition(sourceRow, query) {
      const match = matchOf(query, sourceRow);
      if (match === undefined) return ['FALSE'];
      const isIndexed = 'n IN (SELECT docid FROM event_text WHERE text MATCH ?)';
      const others = findNew(sourceRow, query);
      if (others.length === 0) return [isIndexed, match];
      const isOther = 'n IN (SELECT value FROM json_each(?))';
      return [`(${isIndexed} OR ${isOther})`, match, JSON.stringify(others)];
    },
  };

  /** Numbers of those whose words are not in the index yet. */
  function findNew(sourceRow: number, query: string): number[] {
    const matches = matcherOf(query);
    const rows = db.prepare('SELECT n, summary, payload FROM events WHERE n > ? AND source = ?');
    const found: number[] = [];
    for (const row of rows.each(indexed, sourceRow)) {
      const text = searchedText(row.textOrNull('summary'), row.text('payload'));
      if (matches(text)) found.push(row.number('n'));
    }
    return found;
  }

  function isMostlyStale(): boolean {
    if (entries < checkedAt + checkEvery) return false;
    checkedAt = entries;
    const count = db.prepare('SELECT count(*) AS count FROM events WHERE n <= ?');
    const live = count.get((row) => row.number('count'), indexed) ?? 0;
    return entries > 2 * live;
  }

  function rebuild(): void {
    db.run(dropEventText);
    for (const statement of eventText) db.run(statement);
    checkedAt = 0;
    moveTo(0, 0);
  }

  function moveTo(last: number, count: number): void {
    save.run(names.indexed, last);
    save.run(names.entries, count);
    indexed = last;
    entries = count;
  }
}
