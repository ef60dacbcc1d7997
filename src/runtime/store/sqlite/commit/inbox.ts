import type { Engine } from '../engine.ts';
import type { NewInvocation } from '../../history/invocations.ts';
import { packTrigger } from '../tables/triggers.ts';

/** Within a write: puts an invocation into the inbox, returns its number. */
export type Inbox = (source: number, invocation: Omit<NewInvocation, 'sourceId'>) => number;

export function createInbox({ db, marks, tallies }: Engine): Inbox {
  const insert = db.prepare(
    `INSERT INTO invocations
       (n, source, cause, hook, status, attempt, replay_of, created_at, emitted, dropped, logs)
     VALUES (?, ?, ?, ?, 'queued', 1, ?, ?, 0, 0, 0)`,
  );
  const insertTrigger = db.prepare('INSERT INTO triggers (n, meta, body) VALUES (?, ?, ?)');
  return (source, { cause, hook, trigger, replayOf, at }) => {
    const n = marks.next('invocation');
    tallies.invocations.added(source);
    insert.run(n, source, cause, hook, replayOf, at);
    if (trigger !== undefined) {
      const { meta, body } = packTrigger(trigger);
      insertTrigger.run(n, meta, body);
    }
    return n;
  };
}
