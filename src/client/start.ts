/** Starts a runtime as a child process that outlives this one; with `--attended` it ends after its last client. */
import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { compiledFolder } from '../protocol/cache-folder.ts';
import { WeirError } from '../protocol/errors.ts';
import { type RuntimeFile, settingsVariable, type StartMessage } from '../protocol/rpc.ts';

export interface StartOptions {
  /** Absolute path of the bundled runtime (`dist/runtime.js`). */
  readonly runtimeFile: string;
  readonly dataFolder: string;
  /** The program that runs it: Node, or an Electron binary. */
  readonly execPath: string;
  /** Beside `--data`. Everybody on the machine can read them: no secrets. */
  readonly args?: readonly string[];
  /** `name=value` each (src/runtime/base/settings.ts). */
  readonly settings?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  /** Aborting ends the child before it has reported that it is ready. */
  readonly signal?: AbortSignal;
}

/** Resolves when the runtime serves. Rejects with its own error, or with the last lines it printed. */
export async function startRuntime(options: StartOptions): Promise<RuntimeFile> {
  mkdirSync(options.dataFolder, { recursive: true });
  const output = join(options.dataFolder, 'start.log');
  // A file rather than a pipe: a pipe breaks when this process ends before the child does.
  const log = openSync(output, 'w', 0o600);
  const child = fork(options.runtimeFile, ['--data', options.dataFolder, ...(options.args ?? [])], {
    execPath: options.execPath,
    execArgv: [],
    env: {
      ...childEnvironment(options.env ?? process.env),
      [settingsVariable]: JSON.stringify(options.settings ?? []),
    },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  try {
    return await ready(child, output, options);
  } catch (error) {
    // A start that has just failed has no pid, and Node would signal our own process group.
    if (child.pid !== undefined) child.kill('SIGKILL');
    throw error;
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/**
 * A debugger or loader of the parent must not get into the child; an Electron binary has to be Node.
 * Where malloc is glibc's it keeps what V8's compilers needed once; with a fixed threshold it gives it
 * back: 15 MB of a runtime at rest, at no cost that could be measured (docs/performance.md).
 */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, VSCODE_INSPECTOR_OPTIONS: _inspector, ...rest } = env;
  return {
    MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
    NODE_COMPILE_CACHE: compiledFolder({ env, home: homedir() }),
    ...rest,
    ELECTRON_RUN_AS_NODE: '1',
  };
}

function ready(child: ChildProcess, output: string, options: StartOptions): Promise<RuntimeFile> {
  const { timeoutMs = 30_000, signal } = options;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      fail(`The runtime was not ready after ${timeoutMs / 1000} s.`);
    }, timeoutMs);
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      signal?.removeEventListener('abort', abort);
      end();
    };
    const fail = (sentence: string): void =>
      settle(() => reject(new WeirError('runtime_unavailable', sentence + lastLines(output))));
    const abort = (): void => settle(() => reject(new WeirError('cancelled', 'Cancelled.')));

    child.on('error', (error) =>
      fail(`${options.execPath} could not be started: ${error.message}`),
    );
    child.on('exit', (code, killedBy) => {
      fail(`The runtime ended before it was ready (${killedBy ?? `exit code ${code}`}).`);
    });
    child.on('message', (message: StartMessage) => {
      if (message.t === 'ready') settle(() => resolve(message.runtime));
      else if (message.t === 'failed') {
        const { code, message: sentence, details } = message.error;
        settle(() => reject(new WeirError(code, sentence, details)));
      }
    });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}

/** The last output of the child, as the rest of a sentence. */
function lastLines(output: string): string {
  const text = readFileSync(output, 'utf8').trim();
  return text === '' ? '' : ` It printed:\n${text.split('\n').slice(-20).join('\n')}`;
}
