import type { Engine } from '../engine.ts';
import type { NewInvocation } from '../../history/invocations.ts';
import { packTrigger } from '../tables/triggers.ts';

/** Within a write: puts an invocation into the inbox, returns its number. */
export type Inbox = (
  emitter: number,
  invocation: Pick<NewInvocation, 'cause' | 'hook' | 'trigger' | 'replayOf' | 'at'>,
) => number;

export function createInbox({ db, numbers, counts }: Engine): Inbox {
  const insert = db.prepare(
    `INSERT INTO invocations
       (n, emitter, cause, hook, status, attempt, replay_of, created_at, emitted, dropped, logs)
     VALUES (?, ?, ?, ?, 'queued', 1, ?, ?, 0, 0, 0)`,
  );
  const insertTrigger = db.prepare('INSERT INTO triggers (n, meta, body) VALUES (?, ?, ?)');
  return (emitter, { cause, hook, trigger, replayOf, at }) => {
    const n = numbers.next('invocation');
    counts.invocations.added(emitter);
    insert.run(n, emitter, cause, hook, replayOf, at);
    if (trigger !== undefined) {
      const { meta, body } = packTrigger(trigger);
      insertTrigger.run(n, meta, body);
    }
    return n;
  };
}
