/** Runs one command line to its exit code. */
import { CommanderError } from 'commander';
import { type ErrorData, messageOf, WeirError } from '../protocol/errors.ts';
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
  const program = createProgram(verbs, cli, version, io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Commander has printed what it had to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const data = errorData(error);
    cli.tools(program).out.fail(data);
    // A wrong value is wrong usage, whether it was noticed here or by the runtime.
    return data.code === 'bad_input' ? 2 : 1;
  }
}

function errorData(error: unknown): ErrorData {
  if (WeirError.is(error)) return error.toJSON();
  const code = error instanceof UsageError ? 'bad_input' : 'internal';
  return { code, message: messageOf(error) };
}
