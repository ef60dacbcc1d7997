/** The event for a run, from the command line. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { messageOf } from '../protocol/errors.ts';
import { UsageError } from './arguments.ts';
import type { Io } from './io.ts';

/**
 * JSON, `-` for stdin, or a file, with `@` before it or not.
 * @throws UsageError when what is given is not JSON
 */
export async function readEvent(io: Pick<Io, 'stdin' | 'cwd'>, argument: string): Promise<unknown> {
  const inline = /^\s*[{["\d]|^(?:true|false|null)$/.test(argument);
  const json = inline ? argument : await textOf(io, argument);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`--event ${argument} cannot be read as JSON: ${messageOf(error)}`);
  }
}

/**
 * The bytes of a file, with `@` before its name or not, or `-` for stdin, in base64.
 * @throws UsageError when it cannot be read
 */
export async function readMessage(
  io: Pick<Io, 'stdin' | 'cwd'>,
  argument: string,
): Promise<string> {
  try {
    const bytes =
      argument === '-'
        ? await buffer(io.stdin)
        : await readFile(resolve(io.cwd, argument.replace(/^@/, '')));
    return bytes.toString('base64');
  } catch (error) {
    throw new UsageError(`--email ${argument} cannot be read: ${messageOf(error)}`);
  }
}

async function textOf(io: Pick<Io, 'stdin' | 'cwd'>, argument: string): Promise<string> {
  if (argument === '-') return text(io.stdin);
  const file = resolve(io.cwd, argument.replace(/^@/, ''));
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? `there is no file ${file}` : messageOf(error);
    throw new UsageError(`--event is JSON, @file or - for stdin, and ${why}.`);
  });
}
