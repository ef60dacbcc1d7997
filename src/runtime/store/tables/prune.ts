import type { Engine } from '../engine.ts';
import { alwaysKept, newestToGo, type Weighed } from '../retention.ts';
import type { Connection } from '../sqlite/connection.ts';
import type { Row } from '../sqlite/row.ts';
import type { Keep } from '../store.ts';

/** Emitted events and drops apart, so that a source that mostly drops does not lose its events. */
export function pruneEvents(
  { db, keys }: Engine,
  sourceId: string,
  keep: Keep & { readonly bytes: number },
): number {
  const source = keys.get(sourceId)?.row;
  const newestFirst = db.prepare(
    `SELECT ms, seq, bytes FROM events WHERE source = ? AND is_drop = ?
     ORDER BY ms DESC, seq DESC`,
  );
  let removed = 0;
  for (const isDrop of [false, true]) {
    const entries = weighed(newestFirst.each(source, isDrop));
    const cut = newestToGo(entries, keep);
    if (cut === undefined) continue;
    db.prepare('DELETE FROM events WHERE source = ? AND (ms, seq) <= (?, ?) AND is_drop = ?').run(
      source,
      cut.ms,
      cut.seq,
      isDrop,
    );
    removed += db.changes;
  }
  return removed;
}

function* weighed(rows: Iterable<Row>): Generator<Weighed & { readonly seq: number }> {
  for (const row of rows) {
    yield { ms: row.number('ms'), seq: row.number('seq'), bytes: row.number('bytes') };
  }
}

/** An invocation stays as long as one of its events does: the event may be replayed from it. */
export function pruneInvocations({ db, keys }: Engine, sourceId: string, keep: Keep): number {
  const source = keys.get(sourceId)?.row;
  const gone = db
    .prepare(
      `SELECT n FROM invocations i
       WHERE source = ?1 AND ended_at IS NOT NULL AND n <= ?2 AND (n <= ?3 OR created_at < ?4)
         AND NOT EXISTS (
           SELECT 1 FROM events e
           WHERE e.n >= i.first_event AND e.n < i.first_event + i.emitted + i.dropped
             AND e.invocation = i.n)`,
    )
    .all((row) => row.number('n'), source, ...limits(db, 'invocations', keep, source), keep.before);
  for (const n of gone) {
    db.prepare('DELETE FROM invocations WHERE n = ?').run(n);
    db.prepare('DELETE FROM triggers WHERE n = ?').run(n);
  }
  return gone.length;
}

export function pruneLogs({ db, keys }: Engine, sourceId: string, keep: Keep): number {
  const source = keys.get(sourceId)?.row;
  db.prepare('DELETE FROM logs WHERE source = ?1 AND n <= ?2 AND (n <= ?3 OR at < ?4)').run(
    source,
    ...limits(db, 'logs', keep, source),
    keep.before,
  );
  return db.changes;
}

/** Only those that are over; with their attempts. */
export function pruneDeliveries({ db }: Engine, keep: Keep): number {
  const gone = db
    .prepare(
      `SELECT n FROM deliveries
       WHERE status NOT IN ('pending', 'retrying') AND n <= ? AND (n <= ? OR created_at < ?)`,
    )
    .all((row) => row.number('n'), ...limits(db, 'deliveries', keep), keep.before);
  for (const n of gone) {
    db.prepare('DELETE FROM attempts WHERE delivery = ?').run(n);
    db.prepare('DELETE FROM deliveries WHERE n = ?').run(n);
  }
  return gone.length;
}

/** Numbers up to which a row may go, and up to which it must; 0 where there are not that many. */
function limits(db: Connection, table: string, keep: Keep, source?: number): [number, number] {
  const where = source === undefined ? '' : 'WHERE source = ?2';
  const nth = db.prepare(`SELECT n FROM ${table} ${where} ORDER BY n DESC LIMIT 1 OFFSET ?1`);
  const values = source === undefined ? [] : [source];
  const after = (count: number) => nth.get((row) => row.number('n'), count, ...values) ?? 0;
  return [after(alwaysKept), after(Math.max(keep.count, alwaysKept))];
}
