/** A script's process. It is gone when the step is over, and when the step's own process is, with all that it started. */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import type { Readable } from 'node:stream';
import { dryRunOfProcess } from '../dry-run-of-process.ts';
import { eachLine } from './lines.ts';
import { memoryLimit, residentMegabytes } from './memory.ts';

const hasGroups = process.platform !== 'win32';

/**
 * `sh` kills the whole group when the last pipe closes, which it does when the step's process ends, however it
 * does, and also when the script is busy and looks at nothing.
 */
const watched = (pipe: number): string =>
  `(read -r _ <&${pipe}; kill -9 0) >/dev/null 2>&1 & exec ${pipe}<&-; exec "$0" "$@"`;

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Pipes of the script's own, from 3 on. */
  readonly pipes: number;
}

/** How it ended: undefined when by itself, with 0. */
export type Ending = string | undefined;

/** Ms between two looks at its memory. */
const lookEveryMs = 250;

/** Its lines are the step's console. Rejects when it could not be started. */
export class ScriptChild {
  readonly #child: ChildProcess;
  /**
   * Resolves when it is gone, and everything that it started, and everything that it printed was read. Rejects when it
   * was ended because it took more memory than the step may.
   */
  readonly ended: Promise<Ending>;

  constructor(program: string, args: readonly string[], { cwd, env, pipes }: ChildOptions) {
    const own = Array.from({ length: pipes }, () => 'pipe' as const);
    const stdio: StdioOptions = [
      'ignore',
      'pipe',
      'pipe',
      ...own,
      ...(hasGroups ? ['pipe' as const] : []),
    ];
    const start = dryRunOfProcess()?.spawn ?? spawn;
    this.#child = hasGroups
      ? start('/bin/sh', ['-c', watched(3 + pipes), program, ...args], {
          cwd,
          env,
          stdio,
          detached: true,
        })
      : start(program, args, { cwd, env, stdio, windowsHide: true });
    this.ended = this.#end();
  }

  /** One of the script's pipes. @param fd as the script names it */
  pipe(fd: number): Readable & NodeJS.WritableStream {
    return this.#child.stdio[fd] as unknown as Readable & NodeJS.WritableStream;
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (hasGroups) process.kill(-pid, 'SIGKILL');
      else this.#child.kill('SIGKILL');
    } catch {
      // It is gone already.
    }
  }

  async #end(): Promise<Ending> {
    const { stdout, stderr } = this.#child;
    const printed = [
      eachLine(stdout, (line) => console.log(line)),
      eachLine(stderr, (line) => console.error(line)),
    ];
    let excess: string | undefined;
    const limit = memoryLimit();
    const { pid } = this.#child;
    const looks = setInterval(() => {
      if (pid === undefined || limit === undefined || residentMegabytes(pid) <= limit) return;
      excess = `It used more than ${limit} MB of memory (settings.lambda_memory in workflow.yaml).`;
      this.kill();
    }, lookEveryMs).unref();
    const ending = await new Promise<Ending>((resolve, reject) => {
      this.#child.on('error', (error) => {
        clearInterval(looks);
        reject(error);
      });
      this.#child.on('exit', (code, signal) => {
        // Processes left in the background keep the child's pipes open.
        this.kill();
        if (signal !== null) resolve(`was ended by ${signal}`);
        else resolve(code === 0 ? undefined : `exited with code ${code}`);
      });
    });
    clearInterval(looks);
    await Promise.all(printed);
    if (excess !== undefined) throw Object.assign(new Error(excess), { name: 'OutOfMemory' });
    return ending;
  }
}
