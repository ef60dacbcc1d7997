/** A terminal with somebody in front of it, for the command line in this process. */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Verb } from '../../../src/cli/cli.ts';
import { runCli } from '../../../src/cli/run.ts';
import { until } from '../../support/until.ts';

export const enter = '\r';
export const down = '\u001b[B';

export interface Typed {
  /** Waits until this is on the screen, below what was waited for before. */
  shows(text: string): Promise<void>;
  /** Presses keys, once the program reads them. */
  type(...keys: readonly string[]): Promise<void>;
  /** Everything that was on the screen. */
  screen(): string;
  readonly code: Promise<number>;
}

/** Runs one command line. */
export function typeCommand(verb: Verb, cwd: string, ...args: readonly string[]): Typed {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  // Streams of a process are not ended by what is piped into them.
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 100, _isStdio: true });
  const stdout = new PassThrough();
  let printed = '';
  for (const stream of [stdout, stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  }
  const io = { stdin, stdout, stderr, env: {}, cwd };
  const code = runCli([verb], args, io, new AbortController().signal, '1.2.3');
  const screen = (): string => stripVTControlCharacters(printed);
  let read = 0;
  return {
    code,
    screen,
    async shows(text) {
      read = await until(`"${text}" on the screen`, (seen) => {
        const at = seen(screen()).indexOf(text, read);
        return at === -1 ? undefined : at + text.length;
      });
    },
    async type(...keys) {
      for (const key of keys) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        stdin.write(key);
      }
    },
  };
}
