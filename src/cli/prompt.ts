/** Questions on a terminal. They go to stderr: stdout is for the answer of the command. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setImmediate as turn, setTimeout } from 'node:timers/promises';
import { WeirError } from '../protocol/errors.ts';
import { gatedInput, givesUp } from './gated-input.ts';
import type { Io } from './io.ts';

export interface Choice<T> {
  readonly label: string;
  readonly value: T;
}

export interface Choices<T> {
  readonly choices: readonly Choice<T>[];
  /** One sentence above the choices, which cannot be chosen. */
  readonly remark?: string;
}

/** The questions reject with `cancelled` on Ctrl-C and Ctrl-D. */
export interface Prompt {
  /** True when there is somebody to ask. */
  readonly possible: boolean;
  /** @param secret what is typed is not shown */
  ask(question: string, secret?: boolean): Promise<string>;
  /** Asks for a yes or a no; what was typed before the question was on the screen is no answer to it. */
  confirm(question: string): Promise<boolean>;
  /**
   * A list to choose from with the arrow keys.
   * @param find the list for what was typed, `''` at first; the signal aborts when more was typed
   */
  choose<T>(
    question: string,
    find: (typed: string, signal: AbortSignal) => Promise<Choices<T>>,
  ): Promise<T>;
}

export function createPrompt(io: Pick<Io, 'stdin' | 'stderr'>, signal: AbortSignal): Prompt {
  const prompt: Prompt = {
    possible: io.stdin.isTTY === true && io.stderr.isTTY === true,
    async confirm(question) {
      await dropTypedAhead(io.stdin);
      return /^y(?:es)?$/i.test((await prompt.ask(question)).trim());
    },
    async ask(question, secret = false) {
      const output = secret ? silence() : io.stderr;
      const lines = createInterface({ input: io.stdin, output, terminal: true });
      if (secret) io.stderr.write(question);
      // In raw mode Ctrl-C is a key like any other, and Ctrl-D only closes the interface.
      const givenUp = new AbortController();
      const giveUp = (): void => givenUp.abort();
      lines.on('SIGINT', giveUp).on('close', giveUp);
      try {
        const end = AbortSignal.any([signal, givenUp.signal]);
        return await lines.question(question, { signal: end });
      } catch (error) {
        throw cancelled(error);
      } finally {
        lines.close();
        if (secret) io.stderr.write('\n');
      }
    },
    async choose(question, find) {
      // Most commands ask nothing.
      const { default: search, Separator } = await import('@inquirer/search');
      const givenUp = new AbortController();
      // The library knows Ctrl-C only.
      const onKey = (_text: unknown, key?: { name?: string; ctrl?: boolean }): void => {
        if (key?.ctrl === true && key.name === 'd') givenUp.abort();
      };
      let finding: Promise<unknown> = Promise.resolve();
      let isListed = false;
      const gate = gatedInput(io.stdin, {
        isThere: () => isListed,
        async settled() {
          for (let last; last !== finding;) {
            last = finding;
            await last;
            // The list that was found is shown by then.
            await turn();
          }
        },
      });
      gate.input.on('keypress', onKey);
      const end = AbortSignal.any([signal, givenUp.signal]);
      try {
        return await search(
          {
            message: question,
            source: async (typed = '', { signal: stale }) => {
              const found = find(typed, stale);
              finding = found.then(
                () => (isListed = true),
                () => undefined,
              );
              const { choices, remark } = await found;
              const items = choices.map(({ label, value }) => ({ name: label, value }));
              return remark === undefined ? items : [new Separator(remark), ...items];
            },
          },
          { input: gate.input, output: io.stderr, signal: end },
        );
      } catch (error) {
        if (error instanceof Error && gaveUp.has(error.name)) throw cancelled(error);
        throw error;
      } finally {
        gate.end();
      }
    },
  };
  return prompt;
}

/** How long keys that were pressed already take to come, in ms. */
const arrivesWithinMs = 20;

async function dropTypedAhead(stdin: Io['stdin']): Promise<void> {
  let dropped = '';
  const drop = (chunk: Buffer | string): void => void (dropped += chunk.toString());
  // Until then a terminal keeps a line that has no end yet.
  stdin.setRawMode?.(true);
  stdin.on('data', drop);
  stdin.resume();
  await setTimeout(arrivesWithinMs);
  stdin.removeListener('data', drop);
  stdin.pause();
  stdin.setRawMode?.(false);
  if (givesUp(dropped)) throw cancelled(undefined);
}

/** Errors that the library rejects with on Ctrl-C and when its signal aborts. */
const gaveUp: ReadonlySet<string> = new Set(['ExitPromptError', 'AbortPromptError']);

function cancelled(cause: unknown): WeirError {
  return new WeirError('cancelled', 'Cancelled.', undefined, cause);
}

function silence(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}
