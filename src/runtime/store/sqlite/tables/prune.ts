import type { Engine } from '../engine.ts';
import { alwaysKept, cutOf, type Weighed } from '../../retention.ts';
import type { Row } from '../wasm/row.ts';
import type { Keep } from '../../history/keep.ts';
import { kinds } from './event-kinds.ts';

/** Emitted events, drops and notices apart: a source that mostly drops does not lose its events. */
export function pruneEvents(
  { db, keys, tallies }: Engine,
  sourceId: string,
  keep: Keep & { readonly bytes: number },
): number {
  const source = keys.get(sourceId)?.row;
  if (source === undefined) return 0;
  const oldestFirst = db.prepare(
    'SELECT ms, seq, bytes FROM events WHERE source = ? AND is_drop = ? ORDER BY ms, seq',
  );
  let removed = 0;
  for (const kind of Object.values(kinds)) {
    const entries = map(oldestFirst.each(source, kind), (row) => ({
      ms: row.number('ms'),
      seq: row.number('seq'),
      bytes: row.number('bytes'),
    }));
    const cut = cutOf(entries, tallies.events.of(source, kind), keep);
    if (cut === undefined) continue;
    db.prepare('DELETE FROM events WHERE source = ? AND (ms, seq) <= (?, ?) AND is_drop = ?').run(
      source,
      cut.newest.ms,
      cut.newest.seq,
      kind,
    );
    tallies.events.removed(source, cut.gone, kind);
    removed += cut.gone.count;
  }
  return removed;
}

/**
 * An invocation stays as long as one of its events does: the event may be replayed from it. Where
 * many are spared, they are looked at again when as many new ones have come.
 */
export function pruneInvocations(
  { db, keys, tallies }: Engine,
  sourceId: string,
  keep: Keep,
): number {
  const source = keys.get(sourceId)?.row;
  if (source === undefined) return 0;
  const tally = tallies.invocations.of(source);
  if (tally.count < (tallies.invocationsWorthALook.get(source) ?? 0)) return 0;
  const oldestFirst = db.prepare(
    'SELECT n, created_at AS ms FROM invocations WHERE source = ? ORDER BY n',
  );
  const cut = cutOf(numbered(oldestFirst.each(source)), tally, keep);
  if (cut === undefined) return 0;
  const gone = db
    .prepare(
      `SELECT n FROM invocations i
       WHERE source = ? AND n <= ? AND ended_at IS NOT NULL
         AND NOT EXISTS (
           SELECT 1 FROM events e
           WHERE e.n >= i.first_event AND e.n < i.first_event + i.emitted + i.dropped
             AND e.invocation = i.n)`,
    )
    .all((row) => row.number('n'), source, cut.newest.n);
  for (const n of gone) {
    db.prepare('DELETE FROM invocations WHERE source = ? AND n = ?').run(source, n);
    db.prepare('DELETE FROM triggers WHERE n = ?').run(n);
  }
  const spared = cut.gone.count - gone.length;
  tallies.invocations.removed(source, { count: gone.length, bytes: 0 });
  tallies.invocationsWorthALook.set(source, tally.count + spared);
  return gone.length;
}

export function pruneLogs({ db, keys, tallies }: Engine, sourceId: string, keep: Keep): number {
  const source = keys.get(sourceId)?.row;
  if (source === undefined) return 0;
  const oldestFirst = db.prepare('SELECT n, at AS ms FROM logs WHERE source = ? ORDER BY n');
  const entries = numbered(oldestFirst.each(source));
  const cut = cutOf(entries, tallies.logs.of(source), keep);
  if (cut === undefined) return 0;
  db.prepare('DELETE FROM logs WHERE source = ? AND n <= ?').run(source, cut.newest.n);
  tallies.logs.removed(source, cut.gone);
  return cut.gone.count;
}

function numbered(rows: Iterable<Row>): Generator<Weighed & { readonly n: number }> {
  return map(rows, (row) => ({ n: row.number('n'), ms: row.number('ms'), bytes: 0 }));
}

function* map<T>(rows: Iterable<Row>, read: (row: Row) => T): Generator<T, void, undefined> {
  for (const row of rows) yield read(row);
}

/** Only those that are over; with their attempts. Numbers have no gaps, so they tell how many there are. */
export function pruneDeliveries({ db, marks }: Engine, keep: Keep): number {
  const newest = marks.peek('delivery') - 1;
  const mayGo = newest - alwaysKept;
  let cut = newest - Math.max(keep.count, alwaysKept);
  const younger = db.prepare(
    'SELECT n, created_at FROM deliveries WHERE n > ? AND n <= ? ORDER BY n',
  );
  for (const row of younger.each(cut, mayGo)) {
    if (row.number('created_at') >= keep.before) break;
    cut = row.number('n');
  }
  const isOver = `n <= ? AND status NOT IN ('pending', 'retrying')`;
  db.prepare(
    `DELETE FROM attempts WHERE delivery IN (SELECT n FROM deliveries WHERE ${isOver})`,
  ).run(cut);
  db.prepare(`DELETE FROM deliveries WHERE ${isOver}`).run(cut);
  return db.changes;
}
