/** npm: where it is, how it installs a package, and what its failures mean. */
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { WeirError } from '../../../protocol/errors.ts';
import { exists, packageOf } from './node-modules.ts';

/** A package that a file needs and that is not installed. */
export interface WantedPackage {
  readonly name: string;
  /** Version, range or tag. */
  readonly version: string;
  /** Absolute path of the file that imports it. */
  readonly importer: string;
}

/** How npm is started. */
export interface Npm {
  readonly program: string;
  /** Before the command. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Finds npm: the program of the setting, otherwise the first on the PATH.
 *
 * @throws WeirError `bad_component` if there is none
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

/** npm's error report (`npm --json`). */
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
  npm: Npm,
  folder: string,
  wanted: string,
  signal: AbortSignal | undefined,
): Promise<NpmFailure | undefined> {
  return (await runNpm(npm, folder, ['install', wanted], signal)).failure;
}

/** More than anything that is asked of npm prints. */
const mostOutput = 64 * 1024 * 1024;

/**
 * Runs npm to its end, without install scripts.
 *
 * @param args the command and what only it takes; what others wrote stands behind `--`, or was looked at before
 * @returns what it printed, and what it says when it failed; an aborted run ends npm and is a failure
 */
export async function runNpm(
  { program, args: before, env }: Npm,
  folder: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ readonly output: string; readonly failure: NpmFailure | undefined }> {
  const [command = '', ...rest] = args;
  const child = spawn(program, [...before, command, ...flags, ...rest], {
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
  let printed = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > mostOutput) stop();
  });
  try {
    const [code, output, errors] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { output, failure: code === 0 ? undefined : failureOf(output, errors) };
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

/** Codes of npm for a registry that it cannot reach. */
const unreachable = [
  'ENOTFOUND',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENETUNREACH',
  'ERR_SOCKET_TIMEOUT',
  'ENOTCACHED',
];

/**
 * The importer of a package: the author's file, or the name of a package that forgot to declare it, because the reader
 * has never seen the folder of that package.
 */
export function importerName({ importer }: WantedPackage): string {
  const owner = packageOf(importer);
  return owner === undefined ? importer : `The package ${owner.name}`;
}

/** Why a package could not be installed, as one sentence that names who imports it. */
export function installError(wanted: WantedPackage, failure: NpmFailure): WeirError {
  const { name, version, importer } = wanted;
  const { code, summary } = failure;
  return new WeirError(
    'bad_component',
    `${importerName(wanted)} imports ${name}@${version}, but ${reason(wanted, failure)}.`,
    [{ message: summary, file: importer, code }],
  );
}

function reason({ name, version }: WantedPackage, { code, summary }: NpmFailure): string {
  if (code === 'E404' || code === 'ETARGET') {
    const missing = missingPackage(summary);
    // npm reports a dependency of the package in the same way, which the reader does not know.
    if (missing !== undefined && !isVersionOf(missing, name)) {
      return `that needs ${missing}, which the npm registry does not have`;
    }
    return code === 'E404'
      ? `there is no npm package "${name}"`
      : `"${name}" has no version ${version}`;
  }
  if (unreachable.includes(code)) {
    return 'the npm registry cannot be reached; try again online, or install it beside the component';
  }
  return `npm could not install it (${code}: ${summary})`;
}

/** `name@version` of "No matching version found for …", or the name at the end of the URL that was not found. */
function missingPackage(summary: string): string | undefined {
  const [, spec] = /No matching version found for (\S+?)\.?$/.exec(summary) ?? [];
  if (spec !== undefined) return spec;
  const [, scope = '', name] =
    /GET https?:\/\/\S*?\/(@[^\s/%]+(?:\/|%2f))?([^\s/]+)(?:\s|$)/i.exec(summary) ?? [];
  return name === undefined ? undefined : scope.replace(/%2f/i, '/') + name;
}

function isVersionOf(spec: string, name: string): boolean {
  return spec === name || spec.startsWith(`${name}@`);
}
