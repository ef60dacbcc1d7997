/** Questions on a terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { WeirError } from '../protocol/errors.ts';
import type { Io } from './io.ts';

export interface Prompt {
  /** True when there is somebody to ask. */
  readonly possible: boolean;
  /** @param secret what is typed is not shown. Rejects with `cancelled` on Ctrl-C and Ctrl-D. */
  ask(question: string, secret?: boolean): Promise<string>;
}

export function createPrompt(io: Pick<Io, 'stdin' | 'stderr'>, signal: AbortSignal): Prompt {
  return {
    possible: io.stdin.isTTY === true && io.stderr.isTTY === true,
    async ask(question, secret = false) {
      // Questions go to stderr: stdout is for the answer of the command.
      const output = secret ? silence() : io.stderr;
      const lines = createInterface({ input: io.stdin, output, terminal: true });
      if (secret) io.stderr.write(question);
      // In raw mode Ctrl-C is a key like any other, and Ctrl-D only closes the interface.
      const givenUp = new AbortController();
      const giveUp = (): void => givenUp.abort();
      lines.on('SIGINT', giveUp).on('close', giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await lines.question(question, { signal: givenUp.signal });
      } catch (error) {
        throw new WeirError('cancelled', 'Cancelled.', undefined, error);
      } finally {
        signal.removeEventListener('abort', giveUp);
        lines.close();
        if (secret) io.stderr.write('\n');
      }
    },
  };
}

function silence(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}
