import type { Engine } from '../engine.ts';

/** After this time, a person is notified again of the same error of a workflow (P25.75). */
const againMs = 24 * 3_600_000;

/** Within a write: whether a person has to be notified of it; then that is stored. @param at epoch ms */
export type TakeNotification = (emitter: number, error: string, at: number) => boolean;

export function createErrorNotifications({ db }: Pick<Engine, 'db'>): TakeNotification {
  // A time that is still to come was written before the clock was set back.
  const isNews = 'error_notifications.at <= ?4 OR error_notifications.at > ?3';
  const take = db.prepare(
    `INSERT INTO error_notifications (emitter, error, at) VALUES (?1, ?2, ?3)
     ON CONFLICT (emitter, error) DO UPDATE SET at = excluded.at WHERE ${isNews}`,
  );
  const forget = db.prepare('DELETE FROM error_notifications WHERE emitter = ? AND at <= ?');
  return (emitter, error, at) => {
    take.run(emitter, error, at, at - againMs);
    if (db.changes === 0) return false;
    forget.run(emitter, at - againMs);
    return true;
  };
}
