/** A git repository as a folder, by the `git` of the PATH. */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { WeirError } from '../../../protocol/errors.ts';
import { endGroup, ownGroup } from '../../base/end-group.ts';
import { watchSize } from '../../base/watch-size.ts';

/** On disk, history and files together. */
const mostBytes = 1024 ** 3;
const longestMs = 600_000;

/** The last word of a URL, without `.git`. */
export function repositoryName(url: string): string {
  const last = /([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? '';
  const clean = last.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
  return clean === '' ? 'workflows' : clean;
}

/**
 * The newest commit of a branch, without its history, and without anything of it being run.
 * @param branch the repository's own unless given
 * @throws WeirError `bad_input` with all that git printed; `cancelled`
 */
export async function clone(
  url: string,
  branch: string | undefined,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const which = branch === undefined ? [] : ['--branch', branch];
  const args = ['clone', '--quiet', '--depth', '1', ...which, '--', url, folder];
  // A host that is asked over TLS does not send the server to one that is not.
  const transport = /^https:/i.test(url) ? ['-c', 'protocol.http.allow=user'] : [];
  const hooks = ['-c', 'core.hooksPath=/dev/null', '-c', 'protocol.ext.allow=never'];
  const ended = new AbortController();
  const unwatch = watchSize(folder, mostBytes, () => ended.abort('is larger than 1 GB'));
  const timer = setTimeout(() => ended.abort('took longer than 10 minutes'), longestMs);
  let isWhole = false;
  try {
    const stop = AbortSignal.any([signal, ended.signal]);
    const { code, stderr } = await run([...hooks, ...transport, ...args], stop);
    if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
    const place = withoutPassword(url);
    if (ended.signal.aborted) {
      const message = `${place} ${String(ended.signal.reason)}: clone it by hand and import the folder of its workflows.`;
      throw new WeirError('bad_input', message);
    }
    isWhole = code === 0;
    if (isWhole) return;
    const said = withoutPassword(whole(stderr));
    const message = `${place} could not be cloned: ${said} Git asks for nothing here: what it needs has to be in its own configuration.`;
    throw new WeirError('bad_input', message);
  } finally {
    clearTimeout(timer);
    unwatch();
    if (!isWhole) await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves when git has ended, also if it was stopped. @throws WeirError `bad_input` if there is no git */
function run(
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '' };
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn('git', args, { env, stdio: [...stdio], detached: ownGroup });
    const stop = (): void => endGroup(child);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-4000)));
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing =
        'There is no git on the PATH: install it, or clone the repository by hand and import its folder.';
      const isMissing = error.code === 'ENOENT';
      reject(isMissing ? new WeirError('bad_input', missing, undefined, error) : error);
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, stderr });
    });
  });
}

/** git's output, on one line, as sentences. */
function whole(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = lines.length === 0 ? 'git failed' : lines.join(' ').slice(0, 2000);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** As it is shown. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^/\s@]*@/g, '$1');
}
