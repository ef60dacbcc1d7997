import type { Engine } from '../engine.ts';
import { cutOf, type Weighed } from '../../retention.ts';
import type { Row } from '../wasm/row.ts';
import type { EmitterOwner } from '../../emitter-owner.ts';
import type { Keep } from '../../page.ts';
import { kinds } from '../../schema/history.ts';
import { forgetExecution } from './forget-execution.ts';

/** Emitted events, drops and notices apart: an emitter that mostly drops does not lose its events. */
export function pruneEvents(
  { db, keys, counts }: Engine,
  owner: EmitterOwner,
  keep: Keep & { readonly bytes: number },
): number {
  const key = keys.ownedIfThere(owner);
  if (key === undefined) return 0;
  const emitter = key.row;
  const oldestFirst = db.prepare(
    'SELECT ms, seq, bytes FROM events WHERE emitter = ? AND is_drop = ? ORDER BY ms, seq',
  );
  let removed = 0;
  for (const kind of Object.values(kinds)) {
    const entries = map(oldestFirst.each(emitter, kind), (row) => ({
      ms: row.number('ms'),
      seq: row.number('seq'),
      bytes: row.number('bytes'),
    }));
    const cut = cutOf(entries, counts.events.of(emitter, kind), keep);
    if (cut === undefined) continue;
    keys.saveNewestEvent(key);
    db.prepare('DELETE FROM events WHERE emitter = ? AND (ms, seq) <= (?, ?) AND is_drop = ?').run(
      emitter,
      cut.newest.ms,
      cut.newest.seq,
      kind,
    );
    counts.events.removed(emitter, cut.gone, kind);
    removed += cut.gone.count;
  }
  return removed;
}

/**
 * An invocation stays as long as one of its events does, or waits to be one: the event may be replayed from it. If many
 * are kept, they are checked again after as many new ones.
 */
export function pruneInvocations(
  { db, keys, counts }: Engine,
  owner: EmitterOwner,
  keep: Keep,
): number {
  const emitter = keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  const counted = counts.invocations.of(emitter);
  if (counted.count < (counts.invocationsWorthALook.get(emitter) ?? 0)) return 0;
  const oldestFirst = db.prepare(
    'SELECT n, created_at AS ms FROM invocations WHERE emitter = ? ORDER BY n',
  );
  const cut = cutOf(numbered(oldestFirst.each(emitter)), counted, keep);
  if (cut === undefined) return 0;
  const gone = db
    .prepare(
      `SELECT n FROM invocations i
       WHERE emitter = ? AND n <= ? AND ended_at IS NOT NULL
         AND NOT EXISTS (
           SELECT 1 FROM events e
           WHERE e.n >= i.first_event AND e.n < i.first_event + i.emitted + i.dropped + i.scheduled
             AND e.invocation = i.n)
         AND NOT EXISTS (
           SELECT 1 FROM leg_events l JOIN events e ON e.n >= l.first AND e.n < l.first + l.count
           WHERE l.execution = i.n AND e.invocation = i.n)
         AND (i.scheduled = 0 OR NOT EXISTS (
           SELECT 1 FROM scheduled_emits s
           WHERE s.n >= i.first_event AND s.n < i.first_event + i.emitted + i.dropped + i.scheduled
             AND s.invocation = i.n))
         AND NOT EXISTS (
           SELECT 1 FROM leg_events l
           JOIN scheduled_emits s ON s.n >= l.first AND s.n < l.first + l.count
           WHERE l.execution = i.n AND s.invocation = i.n)`,
    )
    .all((row) => row.number('n'), emitter, cut.newest.n);
  for (const n of gone) {
    db.prepare('DELETE FROM invocations WHERE emitter = ? AND n = ?').run(emitter, n);
    db.prepare('DELETE FROM triggers WHERE n = ?').run(n);
    forgetExecution(db, n);
  }
  const spared = cut.gone.count - gone.length;
  counts.invocations.removed(emitter, { count: gone.length, bytes: 0 });
  counts.invocationsWorthALook.set(emitter, counted.count + spared);
  return gone.length;
}

export function pruneLogs({ db, keys, counts }: Engine, owner: EmitterOwner, keep: Keep): number {
  const emitter = keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  const oldestFirst = db.prepare('SELECT n, at AS ms FROM logs WHERE emitter = ? ORDER BY n');
  const entries = numbered(oldestFirst.each(emitter));
  const cut = cutOf(entries, counts.logs.of(emitter), keep);
  if (cut === undefined) return 0;
  // Lines of what has not ended stay: they are the story of an execution that waits.
  db.prepare(
    `DELETE FROM logs WHERE emitter = ? AND n <= ? AND NOT EXISTS (
       SELECT 1 FROM invocations i
       WHERE i.emitter = logs.emitter AND i.n = logs.invocation AND i.ended_at IS NULL)`,
  ).run(emitter, cut.newest.n);
  const count = db.changes;
  counts.logs.removed(emitter, { count, bytes: 0 });
  return count;
}

function numbered(rows: Iterable<Row>): Generator<Weighed & { readonly n: number }> {
  return map(rows, (row) => ({ n: row.number('n'), ms: row.number('ms'), bytes: 0 }));
}

function* map<T>(rows: Iterable<Row>, read: (row: Row) => T): Generator<T, void, undefined> {
  for (const row of rows) yield read(row);
}

/** Only completed deliveries, with their attempts. */
export function pruneDeliveries(
  { db, keys, counts }: Engine,
  owner: EmitterOwner,
  keep: Keep,
): number {
  const emitter = keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  const oldestFirst = db.prepare(
    'SELECT n, ms, seq, created_at FROM deliveries WHERE emitter = ? ORDER BY ms, seq, n',
  );
  const entries = map(oldestFirst.each(emitter), (row) => ({
    ms: row.number('created_at'),
    bytes: 0,
    event: [row.number('ms'), row.number('seq'), row.number('n')] as const,
  }));
  const cut = cutOf(entries, counts.deliveries.of(emitter), keep);
  if (cut === undefined) return 0;
  const gone = db
    .prepare(
      `SELECT n FROM deliveries WHERE emitter = ? AND (ms, seq, n) <= (?, ?, ?)
         AND status NOT IN ('pending', 'retrying')`,
    )
    .all((row) => row.number('n'), emitter, ...cut.newest.event);
  for (const n of gone) {
    db.prepare('DELETE FROM attempts WHERE delivery = ?').run(n);
    db.prepare('DELETE FROM deliveries WHERE n = ?').run(n);
  }
  counts.deliveries.removed(emitter, { count: gone.length, bytes: 0 });
  return gone.length;
}
