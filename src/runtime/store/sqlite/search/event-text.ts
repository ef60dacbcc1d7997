/**
 * The full-text index over events (SQLite's FTS4; FTS5 is not in the stock build of sql.js).
 *
 * It holds words only: each hit is looked up among the events, and an entry whose event is gone is not found there. So
 * deleting events costs nothing here; stale entries disappear when the index is made again.
 */

/** Summary and payload are one text; `emitter` keeps the lists of other emitters' events apart. */
export const eventText: readonly string[] = [
  `CREATE VIRTUAL TABLE event_text USING fts4(
    content="", matchinfo="fts3", order="desc", tokenize=unicode61, emitter, text)`,
  // Merging in small pieces with each write, so that no write has to merge all at once.
  `INSERT INTO event_text (event_text) VALUES ('automerge=8')`,
];

export const dropEventText = 'DROP TABLE IF EXISTS event_text';

/** As `searchedText` does: without escapes of JSON strings, backslashes first. */
const escapes = ['\\\\', '\\n', '\\r', '\\t', '\\b', '\\f', '\\"'];
const plainPayload = escapes.reduce(
  (sql, escape) => `replace(${sql}, '${escape}', ' ')`,
  'payload',
);

/** Values: emitter, and the ids (ms, seq) after which and up to which its events are indexed. */
export const indexEvents = `INSERT INTO event_text (docid, emitter, text)
  SELECT n, 'e' || emitter, coalesce(summary, '') || ' ' || ${plainPayload}
  FROM events WHERE emitter = ? AND (ms, seq) > (?, ?) AND (ms, seq) <= (?, ?) ORDER BY ms, seq`;
