/** Runs one command line to its exit code. */
import { CommanderError } from 'commander';
import { messageOf, WeirError } from '../protocol/errors.ts';
import { UsageError } from './arguments.ts';
import { createCli, type ExitCode, type Verb } from './cli.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';

/** @param args what follows the program's name */
export async function runCli(
  verbs: readonly Verb[],
  args: readonly string[],
  io: Io,
  interrupted: AbortSignal,
  version: string,
): Promise<ExitCode> {
  const cli = createCli(io, interrupted);
  const program = createProgram(verbs, cli, version).configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Commander has printed what it had to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const wrongUsage = error instanceof UsageError;
    const { out } = cli.tools(program);
    if (WeirError.is(error)) out.fail(error.toJSON());
    else out.fail({ code: wrongUsage ? 'bad_input' : 'internal', message: messageOf(error) });
    return wrongUsage ? 2 : 1;
  }
}
