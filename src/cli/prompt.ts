/** Questions on a terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';

export interface Prompt {
  /** True when there is somebody to ask. */
  readonly possible: boolean;
  /** @param secret what is typed is not shown. Rejects with AbortError on Ctrl-C. */
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
      try {
        return await lines.question(question, { signal });
      } finally {
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
