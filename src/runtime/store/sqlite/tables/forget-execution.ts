import type { Connection } from '../wasm/connection.ts';

/** Within a write: what an execution has beside its invocation. */
export function forgetExecution(db: Connection, n: number): void {
  db.prepare('DELETE FROM step_runs WHERE execution = ?').run(n);
  db.prepare('DELETE FROM outgoing_requests WHERE execution = ?').run(n);
  db.prepare('DELETE FROM resume_hits WHERE execution = ?').run(n);
  db.prepare('DELETE FROM sends WHERE execution = ?').run(n);
  db.prepare('DELETE FROM leg_events WHERE execution = ?').run(n);
  db.prepare('DELETE FROM executions WHERE n = ?').run(n);
}
