import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { WeirError } from '../../../protocol/errors.ts';
import { exists } from './nearest.ts';

/** How npm is started. */
export interface Npm {
  readonly program: string;
  /** Before the command. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Finds npm: the one a setting names, else the first on the PATH.
 *
 * @throws WeirError `bad_component` when there is none
 */
export async function findNpm(npmPath: string | undefined, env: NodeJS.ProcessEnv): Promise<Npm> {
  if (npmPath !== undefined) {
    if (await exists(npmPath)) return npmAt(npmPath, env);
    throw new WeirError(
      'bad_component',
      `The setting weir.npm.path names ${npmPath}, which does not exist.`,
    );
  }
  const name = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    const candidate = join(folder, name);
    if (folder !== '' && (await exists(candidate))) return npmAt(candidate, env);
  }
  throw new WeirError(
    'bad_component',
    'npm was not found on the PATH; install Node.js, or name npm in the setting weir.npm.path.',
  );
}

/** A `.cmd` file needs a shell, which would read `^1.2` as an escape: its script is run instead. */
function npmAt(path: string, env: NodeJS.ProcessEnv): Npm {
  if (!path.endsWith('.cmd')) return { program: path, args: [], env };
  const script = join(dirname(path), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return { program: 'node', args: [script], env };
}

/** What npm says when it fails (`npm --json`). */
export interface NpmFailure {
  readonly code: string;
  readonly summary: string;
}

/** No install scripts (P15.8); few retries, as a person waits. */
const flags = [
  '--json',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=2000',
];

/**
 * Installs one package into a folder.
 *
 * @param wanted as npm takes it, `axios@^1`
 * @returns undefined when it is installed, else what npm says; an aborted install ends npm and is a failure
 */
export async function npmInstall(
  { program, args, env }: Npm,
  folder: string,
  wanted: string,
  signal: AbortSignal | undefined,
): Promise<NpmFailure | undefined> {
  const child = spawn(program, [...args, 'install', ...flags, wanted], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // A start that has just failed has no pid, and Node would signal our own process group.
  const stop = () => void (child.pid !== undefined && child.kill());
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    const [code, output, errors] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    return code === 0 ? undefined : failureOf(output, errors);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function failureOf(output: string, errors: string): NpmFailure {
  try {
    const { error } = JSON.parse(output) as { error?: Partial<NpmFailure> };
    return { code: error?.code ?? 'UNKNOWN', summary: error?.summary ?? errors.trim() };
  } catch {
    return { code: 'UNKNOWN', summary: errors.trim() === '' ? output.trim() : errors.trim() };
  }
}
