/** The built CLI, run as a person or a script runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { watchLog } from './runtime-log.ts';

/** Has the built program; `npm run test:runtime` builds it first. `WEIR_DIST` names another build. */
export const distFolder = resolve(process.env['WEIR_DIST'] ?? 'dist');
export const cliFile = join(distFolder, 'cli.js');

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What `--json` printed as one document. */
  json(): unknown;
}

export interface CliOptions {
  /** Keeps settings, the encryption key and the cache out of the user's home. */
  readonly configFolder: string;
  /** Written to its stdin, which is then closed; it is never a terminal. */
  readonly stdin?: string;
  /** No file may become larger: a disk that is full for whoever writes on. In KB. */
  readonly largestFileKb?: number;
  /** A module that is loaded before the program. */
  readonly preload?: string;
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs; here unless given. */
  readonly cwd?: string;
  /** Another build than `distFolder`. */
  readonly dist?: string;
}

/** Runs one command to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const child = spawnCli(args, options);
  const stdout = gather(child.stdout);
  const stderr = gather(child.stderr);
  child.stdin?.end(options.stdin ?? '');
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      const run = { code, stdout: stdout(), stderr: stderr() };
      ended({ ...run, json: () => readJson(args, run) });
    });
  });
}

/** Starts a command that goes on: `serve`, `dev`, `events -f`. Whoever starts it ends it. */
export function spawnCli(args: readonly string[], options: CliOptions): ChildProcess {
  const { configFolder, largestFileKb, preload, cwd, dist = distFolder } = options;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    XDG_CONFIG_HOME: configFolder,
    XDG_CACHE_HOME: join(configFolder, 'cache'),
    // Otherwise each folder of settings would have the runtime compiled anew.
    NODE_COMPILE_CACHE: resolve('.cache', 'compiled'),
  };
  for (const name of ['WEIR_DATA', 'WEIR_KEY', 'WEIR_STORE', 'NODE_OPTIONS']) delete env[name];
  Object.assign(env, options.env);
  const cli = join(dist, 'cli.js');
  const command = [...(preload === undefined ? [] : ['--require', preload]), cli, ...args];
  const data = args[args.indexOf('--data') + 1];
  if (args.includes('--data') && data !== undefined) watchLog(data);
  if (largestFileKb === undefined)
    return spawn(process.execPath, command, { env, stdio: 'pipe', cwd });
  // The shell becomes the program: its pid is the program's.
  const limited = `ulimit -f ${largestFileKb}; exec "$0" "$@"`;
  return spawn('bash', ['-c', limited, process.execPath, ...command], { env, stdio: 'pipe', cwd });
}

/** @returns what has been read so far */
export function gather(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function readJson(args: readonly string[], run: Omit<CliRun, 'json'>): unknown {
  try {
    return JSON.parse(run.stdout);
  } catch (cause) {
    const printed = `${run.stdout}\n${run.stderr}`;
    throw new Error(`weir ${args.join(' ')} (exit ${run.code}) printed no JSON:\n${printed}`, {
      cause,
    });
  }
}
