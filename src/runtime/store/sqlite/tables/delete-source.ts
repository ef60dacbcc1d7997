import type { Engine } from '../engine.ts';
import type { SourceKey } from '../emitter-keys.ts';

const ofInvocations = 'SELECT n FROM invocations WHERE source = ?';
const ofDeliveries = 'SELECT n FROM deliveries WHERE source = ?';

/** Everything a source had, details before what names them. */
const deletions = [
  `DELETE FROM triggers WHERE n IN (${ofInvocations})`,
  'DELETE FROM invocations WHERE source = ?',
  'DELETE FROM events WHERE source = ?',
  'DELETE FROM logs WHERE source = ?',
  `DELETE FROM attempts WHERE delivery IN (${ofDeliveries})`,
  'DELETE FROM deliveries WHERE source = ?',
  'DELETE FROM db WHERE source = ?',
  'DELETE FROM dedupe WHERE source = ?',
  'DELETE FROM dedupe_ids WHERE source = ?',
  'DELETE FROM interfaces WHERE source = ?',
  'DELETE FROM sources WHERE row = ?',
];

export function deleteSource({ db, marks, tallies }: Engine, key: SourceKey): void {
  marks.save();
  tallies.forget(key.row);
  for (const sql of deletions) db.prepare(sql).run(key.row);
  db.prepare('DELETE FROM subscriptions WHERE emitter_id = ?1 OR listener_id = ?1').run(key.id);
  db.prepare('DELETE FROM auto_subscriptions WHERE listener_id = ?').run(key.id);
}
