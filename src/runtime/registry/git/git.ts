/** The user's own git: it asks nothing, runs no hooks, and knows the user's credentials and proxies. */
import { spawn } from 'node:child_process';
import { WeirError } from '../../../protocol/errors.ts';
import { endGroup, ownGroup } from '../../base/end-group.ts';

export interface GitOptions {
  readonly signal: AbortSignal;
  readonly input?: string | undefined;
  /** Larger output ends git. */
  readonly mostBytes?: number;
}

const safe = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];
const usualBytes = 256 * 1024 * 1024;

/**
 * @param args after `git`; texts of others stand behind `--`, or were looked at before
 * @returns what it printed
 * @throws WeirError `registry_failed` with git's own words, without what stands before `@` in a URL; `cancelled`
 */
export function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { signal, input, mostBytes = usualBytes } = options;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    LC_ALL: 'C',
  };
  // Variables of a repository that Weir may have been started in.
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE']) delete env[name];
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...safe, ...args], {
      env,
      stdio: 'pipe',
      windowsHide: true,
      detached: ownGroup,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let errors = '';
    const stop = (): void => endGroup(child);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) stop();
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4000)));
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', stop);
      const missing = 'There is no git on the PATH, which repositories are read with: install it.';
      reject(error.code === 'ENOENT' ? new WeirError('registry_failed', missing) : error);
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(new WeirError('cancelled', 'Cancelled.'));
      else if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new WeirError('registry_failed', reasonOf(errors)));
    });
  });
}

function reasonOf(errors: string): string {
  const lines = errors.trim().split('\n');
  const said = lines.find((line) => /^(?:fatal|error|remote):/i.test(line)) ?? lines.at(-1) ?? '';
  return withoutPassword(said === '' ? 'git failed.' : `git says: ${said.replace(/^fatal: /, '')}`);
}

/** As it is shown and written down. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^/\s@]*@/g, '$1');
}
