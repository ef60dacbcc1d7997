/** Tokens that a program of the user's own prints, such as `gh auth token`. */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import type { AppOrigin } from '../apps/apps.ts';
import type { CommandMethod } from '../apps/schema.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';
import { GrantFailed, withoutSecrets } from './failure.ts';
import { plainTokens, type Tokens } from './server.ts';

const timeoutMs = 10_000;
const mostBytes = 64 * 1024;

/** Whose definitions may name a program: none that come with code from elsewhere (clause 30). */
const mayRun: Readonly<Record<AppOrigin, boolean>> = {
  user: true,
  'built in': true,
  workspace: true,
  companion: true,
  package: false,
};

/**
 * The commands that a person has allowed in this workspace, complete with arguments: another argument makes it another
 * command.
 */
export class AllowedCommands {
  readonly #settings: SettingsTable;

  constructor(settings: SettingsTable) {
    this.#settings = settings;
  }

  has(run: readonly string[]): boolean {
    return this.#all().includes(JSON.stringify(run));
  }

  /** Resolves when it is on disk. */
  async add(run: readonly string[]): Promise<void> {
    if (!this.has(run))
      await this.#settings.set(setting, JSON.stringify([...this.#all(), JSON.stringify(run)]));
  }

  #all(): string[] {
    return JSON.parse(this.#settings.get(setting) ?? '[]') as string[];
  }
}

const setting = 'allowedCommands';

/** As a person reads it. */
export function commandText(run: readonly string[]): string {
  return run.map((word) => (/^[\w./:@=+-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** @throws WeirError `bad_input` for a command that never runs, even if it is allowed */
export function checkCommand({ run }: CommandMethod, from: AppOrigin): void {
  const [program = ''] = run;
  if (!mayRun[from])
    throw new WeirError(
      'bad_input',
      `A definition that comes from a ${from} may not run programs.`,
    );
  if (/[/\\]/.test(program) && !isAbsolute(program)) {
    throw new WeirError(
      'bad_input',
      `"${program}" is a relative path: name a program on the PATH, or give its whole path.`,
    );
  }
}

/**
 * Runs it without a shell, in the home folder, where no file of the workspace can interfere.
 * @throws GrantFailed with the first line of its stderr
 */
export function runCommand({ run, expires_in: expiresIn }: CommandMethod): Promise<Tokens> {
  const [program = '', ...args] = run;
  const name = commandText(run);
  const options = {
    cwd: homedir(),
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: mostBytes,
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const token = stdout.trim();
      if (error !== null) {
        const said = withoutSecrets(stderr.trim().split('\n', 1)[0] ?? '', token.split('\n'));
        const why = said === '' ? '.' : `: ${said.replace(/\.$/, '')}.`;
        reject(new GrantFailed('unreachable', `"${name}" ${reasonOf(error)}${why}`));
      } else if (token === '' || /\s/.test(token)) {
        const what = token === '' ? 'printed nothing' : 'printed more than a token';
        reject(new GrantFailed('refused', `"${name}" ${what}.`));
      } else {
        resolve(plainTokens(token, expiresIn));
      }
    });
    // The command gets no input: one that asks a question would otherwise wait without end.
    child.stdin?.end();
  });
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.code === 'ENOENT') return 'was not found';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'printed too much';
  if (error.killed === true) return `took longer than ${timeoutMs / 1000} seconds`;
  return `ended with ${String(error.code)}`;
}
