import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program that does one half of a measure in a process of its own, and is asked over IPC. */
export interface Helper {
  readonly pid: number;
  /** Sends a message and resolves with the next one that comes back. One question at a time. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): void;
}

/**
 * @param file its path in bench. It says `{ready}` first, and answers each message with one.
 * An answer `{failed}` rejects the question.
 */
export async function startHelper(file: string, args: readonly string[] = []): Promise<Helper> {
  const child = fork(join(import.meta.dirname, '..', file), args);
  const next = async (): Promise<unknown> => {
    const answered = new AbortController();
    const { signal } = answered;
    const gone = once(child, 'exit', { signal }).then(() => {
      throw new Error(`${file} ended early.`);
    });
    try {
      const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as [
        object,
      ];
      if ('failed' in message) throw new Error(`${file}: ${String(message.failed)}`);
      return message;
    } finally {
      gone.catch(() => undefined);
      answered.abort();
    }
  };
  await next();
  if (child.pid === undefined) throw new Error(`${file} could not be started.`);
  return {
    pid: child.pid,
    async ask<Answer>(question: object) {
      const answer = next();
      child.send(question);
      return (await answer) as Answer;
    },
    stop: () => void child.kill(),
  };
}
