import { matcherOf, prefixesOf, searchedText, wordsOf } from '../search/words.ts';
import { arrayOf, type Value } from './arrays.ts';
import { type Engine, write } from './engine.ts';
import { number, text, textOrNull } from './fields.ts';

/** How many events are read at a time. */
const batch = 500;
/** A word is known by its beginning: PostgreSQL takes 2046 bytes of one. */
const wordLength = 100;
/** For an event with more bytes of words than this, no words are kept, and it is always read. */
const mostBytes = 200_000;

/** Searching in events: the index says which may have the words, and each of those is looked at. */
export interface EventSearch {
  /** Indexes the next events of an emitter, at most so many. Resolves to true when there are more. */
  index(emitter: number, most: number): Promise<boolean>;
  /** For a `WHERE` over an emitter's events: those with all these words; and the values it is bound to. */
  condition(
    emitter: number | undefined,
    query: string,
  ): Promise<[condition: string, ...values: Value[]]>;
}

/** Our own words, not those of a language of PostgreSQL's: the answers are those of the embedded store. */
export function createEventSearch(engine: Engine): EventSearch {
  const { read } = engine;
  const newer = `(ms, seq) > (coalesce((SELECT ms FROM indexed_events WHERE emitter = $1), 0),
    coalesce((SELECT seq FROM indexed_events WHERE emitter = $1), -1))`;
  return {
    async index(emitter, most) {
      const rows = await read(
        `SELECT ms, seq, summary, payload FROM events WHERE emitter = $1 AND ${newer}
         ORDER BY ms, seq LIMIT $2`,
        [emitter, most + 1],
      );
      const next = rows.slice(0, most);
      const last = next.at(-1);
      if (last === undefined) return false;
      await write(engine, (change) => {
        for (const row of next) {
          const words = shortened(
            wordsOf(searchedText(textOrNull(row, 'summary'), text(row, 'payload'))),
          );
          const fits = words.reduce((sum, word) => sum + word.length * 3, 0) <= mostBytes;
          change.run(
            `INSERT INTO event_words (emitter, ms, seq, words)
             SELECT $1, $2, $3, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text($4::jsonb)))
             ON CONFLICT DO NOTHING`,
            [emitter, number(row, 'ms'), number(row, 'seq'), fits ? JSON.stringify(words) : null],
          );
        }
        change.run(
          `INSERT INTO indexed_events (emitter, ms, seq) VALUES ($1, $2, $3)
           ON CONFLICT (emitter) DO UPDATE SET ms = excluded.ms, seq = excluded.seq`,
          [emitter, number(last, 'ms'), number(last, 'seq')],
        );
        // Words of deleted events are not needed.
        change.run(
          `DELETE FROM event_words w WHERE emitter = $1 AND NOT EXISTS (
             SELECT 1 FROM events e WHERE e.emitter = w.emitter AND e.ms = w.ms AND e.seq = w.seq)
             AND (ms, seq) < (SELECT ms, seq FROM events WHERE emitter = $1 ORDER BY ms, seq LIMIT 1)`,
          [emitter],
        );
      });
      return rows.length > most;
    },
    async condition(emitter, query) {
      const prefixes = shortened(prefixesOf(query));
      if (prefixes.length === 0) return ['FALSE'];
      const matches = matcherOf(query);
      const found: { ms: number; seq: number }[] = [];
      const asked = prefixes.map((word) => `'${word}':*`).join(' & ');
      let after = { ms: 0, seq: -1 };
      for (;;) {
        const rows = await read(
          `SELECT ms, seq, summary, payload FROM events e
           WHERE emitter = $1 AND (ms, seq) > ($2, $3) AND (${newer} OR EXISTS (
             SELECT 1 FROM event_words w WHERE w.emitter = e.emitter AND w.ms = e.ms
               AND w.seq = e.seq AND (w.words IS NULL OR w.words @@ $4::tsquery)))
           ORDER BY ms, seq LIMIT $5`,
          [emitter, after.ms, after.seq, asked, batch],
        );
        for (const row of rows) {
          after = { ms: number(row, 'ms'), seq: number(row, 'seq') };
          const whole = searchedText(textOrNull(row, 'summary'), text(row, 'payload'));
          if (matches(whole)) found.push(after);
        }
        if (rows.length < batch) break;
      }
      const column = (key: 'ms' | 'seq'): Buffer =>
        arrayOf(
          'bigint',
          found.map((one) => one[key]),
        );
      return [
        '(ms, seq) IN (SELECT * FROM unnest(?::bigint[], ?::bigint[]))',
        column('ms'),
        column('seq'),
      ];
    },
  };
}

function shortened(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.slice(0, wordLength).toWellFormed()))];
}
