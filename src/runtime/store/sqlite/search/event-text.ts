/**
 * The full-text index over events (SQLite's FTS4; FTS5 is not in the stock build of sql.js).
 *
 * It holds words only: what it found is looked up among the events, and an entry whose event is gone
 * is simply not found there. So deleting events costs nothing here; entries of what is gone go when
 * the index is made anew.
 */

/** Summary and payload are one text; `source` keeps the lists of other sources' events apart. */
export const eventText: readonly string[] = [
  `CREATE VIRTUAL TABLE event_text USING fts4(
    content="", matchinfo="fts3", order="desc", tokenize=unicode61, source, text)`,
  // Merging in small pieces with each write, so that no write has to merge all at once.
  `INSERT INTO event_text (event_text) VALUES ('automerge=8')`,
];

export const dropEventText = 'DROP TABLE event_text';

/** Escapes of JSON strings would otherwise stick to the word that follows. Backslashes first. */
const escapes = ['\\\\', '\\n', '\\r', '\\t', '\\b', '\\f', '\\"'];
const plainPayload = escapes.reduce(
  (sql, escape) => `replace(${sql}, '${escape}', ' ')`,
  'payload',
);

/** Values: the numbers after which, and up to which, events are indexed. */
export const indexEvents = `INSERT INTO event_text (docid, source, text)
  SELECT n, 's' || source, coalesce(summary, '') || ' ' || ${plainPayload}
  FROM events WHERE n > ? AND n <= ?`;

/** The same for one event that is not indexed yet. */
export function searchedText(summary: string | null, payload: string): string {
  return `${summary ?? ''} ${payload.replaceAll(/\\[\\nrtbf"]/g, ' ')}`;
}
