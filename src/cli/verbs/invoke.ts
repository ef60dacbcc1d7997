import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Result } from '../../protocol/catalogue.ts';
import { messageOf } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import type { Io } from '../io.ts';
import { eventText, logText } from '../views/events.ts';

export const invoke: Verb = (program, cli) => {
  program
    .command('invoke <source>')
    .description('Run a source now and print what it emitted and logged')
    .option('--event <file|-|json>', 'what run(event) gets: a file, - for stdin, or JSON')
    .action(async (id: string, flags: { event?: string }, command) => {
      await cli.connected(command, async ({ call, io, out }) => {
        const event = flags.event === undefined ? {} : { event: await readEvent(io, flags.event) };
        const invocation = await call('sources.invoke', { id, ...event });
        out.answer(invocation, () => invocationText(invocation));
        return invocation.status === 'succeeded' ? 0 : 1;
      });
    });
};

/** @throws UsageError when what is given is not JSON */
async function readEvent(io: Io, argument: string): Promise<unknown> {
  const inline = /^\s*[{["\d]|^(?:true|false|null)$/.test(argument);
  try {
    if (argument === '-') return JSON.parse(await text(io.stdin));
    return JSON.parse(inline ? argument : await readFile(resolve(io.cwd, argument), 'utf8'));
  } catch (error) {
    throw new UsageError(`--event ${argument} cannot be read as JSON: ${messageOf(error)}`);
  }
}

function invocationText(invocation: Result<'sources.invoke'>): string {
  const { status, error, emitted, logs } = invocation;
  const why =
    error === null
      ? ''
      : `: ${error.configuration ? error.message : (error.stack ?? error.message)}`;
  return [...logs.map(logText), ...emitted.map(eventText), `${status}${why}`].join('\n');
}
