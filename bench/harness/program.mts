import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A program that prints the URL it listens on. */
export interface Program {
  readonly pid: number;
  readonly url: string;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts `node ARGS` and resolves at its first line with an address. Rejects when it ends or takes longer.
 * @param through a command that becomes what is given behind it, as `taskset` does
 */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  readyWithinMs = 30_000,
  through: readonly string[] = [],
): Promise<Program> {
  const [command = '', ...rest] = [...through, process.execPath, ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await exited;
  };
  const tooLate = setTimeout(() => child.kill('SIGKILL'), readyWithinMs);
  const port = await readPort(child.stdout);
  clearTimeout(tooLate);
  child.stdout.resume();
  if (port === undefined || child.pid === undefined) {
    throw new Error(`\`node ${args.join(' ')}\` ended without saying where it listens.`);
  }
  return { pid: child.pid, url: `http://127.0.0.1:${port}/`, stop };
}

async function readPort(output: Readable): Promise<string | undefined> {
  for await (const line of createInterface(output)) {
    const port = /http:\/\/[^\s/:]+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  return undefined;
}
