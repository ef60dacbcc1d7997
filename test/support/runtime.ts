/** A real runtime, started from the built CLI on a data folder of its own. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Connection } from '../../src/client/connection.ts';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { beforeAll } from 'vitest';
import { type AtEnd, atEndOfSuite, atEndOfTest } from './at-end.ts';
import { type CliRun, gather, runCli, spawnCli } from './cli.ts';
import { sourceFile, temporaryFolder } from './folder.ts';
import { expectErrors } from './runtime-log.ts';

export interface RestAnswer {
  readonly status: number;
  /** The whole envelope: `{data}`, `{page_info, data}` or `{error, code}`. */
  readonly body: unknown;
}

export interface TestRuntime extends RuntimeFile {
  /** A command of the CLI against this runtime. */
  weir(...args: readonly string[]): Promise<CliRun>;
  /** The `--json` document of a command; throws with what it printed unless it ended with 0. */
  weirJson<T>(...args: readonly string[]): Promise<T>;
  /** A call with the API key. @param body sent as JSON */
  rest(method: string, path: string, body?: unknown): Promise<RestAnswer>;
  /** The `data` of a call that has to succeed. */
  restData<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** A typed RPC connection, closed at the end. */
  connect(): Promise<Connection>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Errors in its log that this test brings about: each has to come. Any other fails the test. */
  expectErrors(...patterns: readonly RegExp[]): void;
  /** What it has printed so far, for a failing test's message. */
  readonly output: () => string;
}

export interface RuntimeOptions {
  /** Holds the data folder and the key. The same folder again is a restart. */
  readonly folder: string;
  /** Its data folder therein, when there are several. */
  readonly data?: string;
  /** More arguments of `weir serve`, such as `--redirect HOST=URL`. */
  readonly args?: readonly string[];
  readonly atEnd?: AtEnd;
  /** See `CliOptions`. */
  readonly largestFileKb?: number;
  readonly preload?: string;
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it, and the commands against it, are started; here unless given. */
  readonly cwd?: string;
  /** See `CliOptions`. */
  readonly dist?: string;
}

/** Resolves when the runtime serves; rejects with what it printed when it ends before. */
export async function startRuntime(options: RuntimeOptions): Promise<TestRuntime> {
  const {
    folder,
    args = [],
    atEnd = atEndOfTest,
    largestFileKb,
    preload,
    env,
    cwd,
    dist,
  } = options;
  const data = join(folder, options.data ?? 'data');
  const cli = {
    configFolder: join(folder, 'config'),
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
    ...(dist !== undefined && { dist }),
  };
  const limited = {
    ...cli,
    ...(largestFileKb !== undefined && { largestFileKb }),
    ...(preload !== undefined && { preload }),
  };
  const child = spawnCli(['serve', '--data', data, ...args], limited);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const output = () => stdout() + stderr();
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  atEnd(async () => void (await end('SIGKILL')));
  const file = await served(data, child.stdout, exited, output);

  const weir = (...command: readonly string[]) => runCli([...command, '--data', data], cli);
  const rest = async (method: string, path: string, body?: unknown): Promise<RestAnswer> => {
    const response = await fetch(new URL(path, file.url), {
      method,
      headers: { authorization: `Bearer ${file.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    ...file,
    weir,
    rest,
    output,
    expectErrors: (...patterns) => expectErrors(data, ...patterns),
    async weirJson<T>(...command: readonly string[]) {
      const run = await weir(...command, '--json');
      if (run.code !== 0) throw new Error(`weir ${command.join(' ')}: ${run.stderr}${output()}`);
      return run.json() as T;
    },
    async restData<T>(method: string, path: string, body?: unknown) {
      const answer = await rest(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return (answer.body as { data: T }).data;
    },
    async connect() {
      const connection = await connect(file);
      atEnd(() => Promise.resolve(connection.close()));
      return connection;
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

export interface SharedRuntime extends TestRuntime {
  /** Holds its data folder and its key, and what the tests write. */
  readonly folder: string;
  /** For what else the tests of the file share. */
  readonly atEnd: AtEnd;
  /** Writes a component's code into the folder and returns its path. */
  file(name: string, code: string): Promise<string>;
}

/**
 * One runtime for all tests of a file: call it at the top. There is nothing in it before `beforeAll`.
 * @param args more arguments of `weir serve`, such as `--set NAME=VALUE`
 */
export function useRuntime(args: readonly string[] = []): SharedRuntime {
  const atEnd = atEndOfSuite();
  const shared = { atEnd } as SharedRuntime;
  beforeAll(async () => {
    const folder = temporaryFolder(atEnd);
    const file = (name: string, code: string) => sourceFile(folder, name, code);
    Object.assign(shared, await startRuntime({ folder, args, atEnd }), { folder, file });
  });
  return shared;
}

/** It prints one line when it is ready, and `runtime.json` stands by then. */
async function served(
  data: string,
  stdout: NodeJS.ReadableStream | null,
  exited: Promise<unknown>,
  output: () => string,
): Promise<RuntimeFile> {
  if (stdout === null) throw new Error('The CLI has no stdout.');
  const ended = exited.then(() => {
    throw new Error(`weir serve ended before it was ready:\n${output()}`);
  });
  await Promise.race([once(stdout, 'data'), ended]);
  return JSON.parse(await readFile(join(data, 'runtime.json'), 'utf8')) as RuntimeFile;
}
