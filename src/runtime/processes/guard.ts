/**
 * The guard: one small process beside the runtime that ends the component processes when the runtime is killed. A
 * component that loops does not notice the end of its runtime, so somebody else has to.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** A component process, distinguished from a foreign one that got its pid later. */
export interface GuardedProcess {
  readonly pid: number;
  /** When it started, in ticks since the machine was started; null where the system does not say. */
  readonly startedAt: string | null;
}

/** The least time between two starts of the guard, in ms: one that cannot run is not started in a circle. */
const restartMs = 1000;

/**
 * Reads `+pid start` and `-pid`, a line each, until its input closes, which only the end of the runtime does. It reads
 * synchronously: an event loop with streams would take 2 MB more. The start time cannot be forged, unlike the command line.
 */
const script = `
const fs = require('node:fs');
const live = new Map();
const chunk = Buffer.alloc(65536);
const read = () => {
  try {
    return fs.readSync(0, chunk);
  } catch (error) {
    if (error.code !== 'EAGAIN') return 0;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return -1;
  }
};
let text = '';
for (let count = read(); count !== 0; count = read()) {
  if (count < 0) continue;
  const lines = (text + chunk.latin1Slice(0, count)).split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const [pid, startedAt] = line.slice(1).split(' ');
    if (line[0] === '+') live.set(pid, startedAt);
    else live.delete(pid);
  }
}
const startOf = (pid) => {
  const line = fs.readFileSync('/proc/' + pid + '/stat', 'latin1');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
};
for (const [pid, startedAt] of live) {
  try {
    if (startedAt === '' || startOf(pid) === startedAt) process.kill(Number(pid), 'SIGKILL');
  } catch {}
}`;

export interface GuardOptions {
  /** The Node (or Electron) to run it with. */
  readonly execPath: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Keeps one guard running while there are component processes, and reports each process to it. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #live = new Map<number, GuardedProcess>();
  #process: ChildProcess | undefined;
  #starting: NodeJS.Immediate | undefined;
  #startedAt = -Infinity;
  #closed = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Pid of the guard; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  add(guarded: GuardedProcess): void {
    this.#live.set(guarded.pid, guarded);
    if (this.#process === undefined) this.#startSoon();
    else this.#write(lineOf(guarded));
  }

  remove(pid: number): void {
    if (this.#live.delete(pid)) this.#write(`-${pid}\n`);
  }

  /** Ends the guard; what it watched is left alone. Resolves when the guard is gone. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#starting !== undefined) clearImmediate(this.#starting);
    const ending = this.#process;
    if (ending?.pid === undefined) return;
    // Otherwise a runtime that ends would not wait for it, nor for what it closes afterwards.
    ending.ref();
    await new Promise<void>((resolve) => {
      ending.once('exit', () => resolve());
      ending.kill('SIGKILL');
    });
  }

  /** Not within the turn that forked a process: two forks in one would hold up the runtime for twice as long. */
  #startSoon(): void {
    this.#starting ??= setImmediate(() => {
      this.#starting = undefined;
      if (this.#closed || this.#process !== undefined) return;
      try {
        this.#start();
      } catch {
        // The system has no memory or no files left for a process. Components go on without a guard meanwhile.
        this.#startLater();
      }
    });
  }

  #startLater(): void {
    this.#process = undefined;
    setTimeout(() => {
      if (this.#live.size > 0) this.#startSoon();
    }, restartMs).unref();
  }

  #start(): void {
    const { execPath, environment } = this.#options;
    this.#startedAt = performance.now();
    const started = spawn(execPath, ['--max-old-space-size=16', '-e', script], {
      env: { ...environment },
      stdio: ['pipe', 'ignore', 'ignore'],
      // A signal to the group of the runtime, as of Ctrl-C, does not end it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#process = started;
    const gone = (): void => {
      if (this.#process !== started) return;
      this.#process = undefined;
      const isLasting = performance.now() - this.#startedAt > restartMs;
      if (!isLasting) this.#startLater();
      else if (this.#live.size > 0) this.#startSoon();
    };
    started.on('exit', gone).on('error', gone);
    started.unref();
    const input = started.stdin as Socket;
    input.on('error', () => {});
    input.unref();
    for (const guarded of this.#live.values()) this.#write(lineOf(guarded));
  }

  #write(line: string): void {
    if (this.#process?.stdin?.writable === true) this.#process.stdin.write(line);
  }
}

function lineOf({ pid, startedAt }: GuardedProcess): string {
  return `+${pid} ${startedAt ?? ''}\n`;
}
