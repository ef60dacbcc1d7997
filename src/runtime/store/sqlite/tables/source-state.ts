import type { Connection } from '../wasm/connection.ts';
import type { DedupeRecord } from '../../configuration/sources.ts';

/** The contents of every `$.service.db` prop of a source: prop → key → JSON text. */
export function readDb(db: Connection, source: number): Record<string, Record<string, string>> {
  // Null prototypes: a component may use any key, `__proto__` too.
  const props: Record<string, Record<string, string>> = Object.create(null);
  for (const row of db.prepare('SELECT prop, key, json FROM db WHERE source = ?').each(source)) {
    const prop = (props[row.text('prop')] ??= Object.create(null) as Record<string, string>);
    prop[row.text('key')] = row.text('json');
  }
  return props;
}

export function readDedupe(db: Connection, source: number): DedupeRecord {
  const ids = db
    .prepare('SELECT id FROM dedupe_ids WHERE source = ? ORDER BY seq')
    .all((row) => row.text('id'), source);
  const state = db.prepare('SELECT strategy, greatest, last FROM dedupe WHERE source = ?').get(
    (row) => ({
      strategy: row.text('strategy'),
      greatest: row.numberOrNull('greatest'),
      last: row.textOrNull('last'),
    }),
    source,
  );
  if (state === undefined) return { strategy: null, ids };
  const { strategy, greatest, last } = state;
  return {
    strategy,
    ids,
    ...(greatest === null ? {} : { greatest }),
    ...(last === null ? {} : { last }),
  };
}
