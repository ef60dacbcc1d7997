import type { Connection } from '../wasm/connection.ts';
import type { DedupeRecord } from '../../ownership.ts';

/** The contents of every `$.service.db` prop of an emitter: prop → key → JSON text. */
export function readDb(db: Connection, emitter: number): Record<string, Record<string, string>> {
  // Null prototypes: a component may use any key, `__proto__` too.
  const props: Record<string, Record<string, string>> = Object.create(null);
  for (const row of db.prepare('SELECT prop, key, json FROM db WHERE emitter = ?').each(emitter)) {
    const prop = (props[row.text('prop')] ??= Object.create(null) as Record<string, string>);
    prop[row.text('key')] = row.text('json');
  }
  return props;
}

export function readDedupe(db: Connection, emitter: number): DedupeRecord {
  const ids = db
    .prepare('SELECT id FROM dedupe_ids WHERE emitter = ? ORDER BY seq')
    .all((row) => row.text('id'), emitter);
  const state = db.prepare('SELECT strategy, greatest, last FROM dedupe WHERE emitter = ?').get(
    (row) => ({
      strategy: row.text('strategy'),
      greatest: row.numberOrNull('greatest'),
      last: row.textOrNull('last'),
    }),
    emitter,
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
