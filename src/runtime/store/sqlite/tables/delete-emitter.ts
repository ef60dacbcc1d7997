import type { EmitterKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';

const ofInvocations = 'SELECT n FROM invocations WHERE emitter = ?';
const ofDeliveries = 'SELECT n FROM deliveries WHERE emitter = ?';

/** Everything an emitter had, details before what names them. */
const deletions = [
  `DELETE FROM triggers WHERE n IN (${ofInvocations})`,
  `DELETE FROM step_runs WHERE execution IN (${ofInvocations})`,
  `DELETE FROM outgoing_requests WHERE execution IN (${ofInvocations})`,
  `DELETE FROM resume_hits WHERE execution IN (${ofInvocations})`,
  `DELETE FROM leg_events WHERE execution IN (${ofInvocations})`,
  'DELETE FROM executions WHERE emitter = ?',
  'DELETE FROM sends WHERE emitter = ?',
  'DELETE FROM stream_messages WHERE emitter = ?',
  'DELETE FROM error_notifications WHERE emitter = ?',
  'DELETE FROM invocations WHERE emitter = ?',
  'DELETE FROM events WHERE emitter = ?',
  'DELETE FROM scheduled_emits WHERE emitter = ?',
  'DELETE FROM logs WHERE emitter = ?',
  `DELETE FROM attempts WHERE delivery IN (${ofDeliveries})`,
  'DELETE FROM deliveries WHERE emitter = ?',
  'DELETE FROM db WHERE emitter = ?',
  'DELETE FROM dedupe WHERE emitter = ?',
  'DELETE FROM dedupe_ids WHERE emitter = ?',
  'DELETE FROM interfaces WHERE source = ?',
  'DELETE FROM emitters WHERE row = ?',
];

/** Within a write; its record is deleted beside it. */
export function deleteEmitter({ db, counts }: Engine, key: EmitterKey): void {
  counts.forget(key.row);
  for (const sql of deletions) db.prepare(sql).run(key.row);
}
