/** The user's own npm, as they run it: it knows their registries, logins, proxies and certificates, and Weir reads none of them. */
import { spawn } from 'node:child_process';
import { WeirError } from '../../protocol/errors.ts';
import type { Io } from '../io.ts';

export interface NpmRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface NpmOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** On a terminal npm may ask for a second factor. */
  readonly mayAsk?: boolean;
}

const flags = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
];

/**
 * Runs it to its end, whatever that is. No script of a package runs.
 * @param args nothing of them comes from a stranger: on Windows, where npm is a script, a shell reads them
 */
export function runNpm(io: Io, args: readonly string[], options: NpmOptions): Promise<NpmRun> {
  const { cwd, signal, mayAsk = false } = options;
  const isAsked = mayAsk && io.stdin.isTTY === true && io.stdout.isTTY === true;
  const isWindows = process.platform === 'win32';
  const child = spawn(
    'npm',
    [...args.map((one) => (isWindows && one.includes(' ') ? `"${one}"` : one)), ...flags],
    {
      cwd,
      env: io.env,
      stdio: isAsked ? ['inherit', 'inherit', 'pipe'] : ['ignore', 'pipe', 'pipe'],
      shell: isWindows,
      windowsHide: true,
    },
  );
  const stop = (): void => void (child.pid !== undefined && child.kill());
  signal.addEventListener('abort', stop, { once: true });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  return new Promise<NpmRun>((ended, failed) => {
    child.on('error', () =>
      failed(
        new WeirError('bad_input', 'npm was not found on the PATH; install Node.js with npm.'),
      ),
    );
    child.on('close', (code) => {
      if (signal.aborted) failed(new WeirError('cancelled', 'Cancelled.'));
      else ended({ code, stdout: stdout(), stderr: stderr() });
    });
  }).finally(() => signal.removeEventListener('abort', stop));
}

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
