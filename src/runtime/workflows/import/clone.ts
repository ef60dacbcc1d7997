/** A git repository as a folder, by the `git` of the PATH. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { watchSize } from '../../base/watch-size.ts';
import { WeirError } from '../../../protocol/errors.ts';

/** On disk, history and files together. */
const mostBytes = 1024 ** 3;

/** Of a URL the last word, without `.git`. */
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
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '' };
  const hooks = ['-c', 'core.hooksPath=/dev/null', '-c', 'protocol.ext.allow=never'];
  const size = new AbortController();
  const unwatch = watchSize(folder, mostBytes, () => size.abort());
  try {
    await promisify(execFile)('git', [...hooks, ...args], {
      env,
      signal: AbortSignal.any([signal, size.signal]),
      timeout: 600_000,
    });
  } catch (error) {
    if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.', undefined, error);
    if (size.signal.aborted) {
      const message = `${withoutPassword(url)} is larger than ${mostBytes / 1024 ** 3} GB: clone it by hand and import the folder of its workflows.`;
      throw new WeirError('bad_input', message, undefined, error);
    }
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (String(code) === 'ENOENT') {
      throw new WeirError(
        'bad_input',
        'There is no git on the PATH: install it, or clone the repository by hand and import its folder.',
        undefined,
        error,
      );
    }
    throw new WeirError(
      'bad_input',
      `${withoutPassword(url)} could not be cloned: ${withoutPassword(whole(stderr))} Git asks for nothing here: what it needs has to be in its own configuration.`,
      undefined,
      error,
    );
  } finally {
    unwatch();
  }
}

/** What git printed, on one line, as sentences. */
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
