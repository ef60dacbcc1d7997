import { fork, type ChildProcess } from 'node:child_process';
import { deserialize } from 'node:v8';
import { hostPipes, type Batch, type FromHost, type ToHost } from '../../protocol/host.ts';
import { tokenArgument } from './leftovers.ts';

export interface ChildOptions {
  /** Absolute path of component-host.js. */
  readonly entry: string;
  readonly execPath: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Stands in the command line, so that a leftover can be told from a stranger with its pid. */
  readonly token: string;
}

/** Is told what a process sends, and that it has ended. */
export interface ChildObserver {
  message(message: FromHost): void;
  /** The process has ended and all its messages were told. Called once. */
  exited(exit: { code: number | null; signal: NodeJS.Signals | null; stderr: string }): void;
}

/** How much of stderr is kept, in characters: V8's report of a full heap fits. */
const stderrKept = 8 * 1024;
/** How long a grandchild that holds stderr open may delay the end of its parent. */
const drainMs = 500;

/** One forked process: batches in and out, and one end. Knows nothing of components. */
export class Child {
  /** Resolves when the process has ended and all its messages were told. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #finalMessages: Buffer[] = [];
  #observer: ChildObserver | undefined;
  #early: FromHost[] = [];
  #outgoing: ToHost[] = [];
  #sent = 0;
  /** Number of the last batch that was told: the final messages repeat what may have come already. */
  #received = 0;
  #stderr = '';
  #alive = true;

  constructor(options: ChildOptions) {
    this.#process = fork(options.entry, [tokenArgument(options.token)], {
      execPath: options.execPath,
      execArgv: [
        `--max-old-space-size=${options.memoryMb}`,
        '--no-deprecation',
        '--disable-warning=ExperimentalWarning',
      ],
      env: { ...options.environment },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe', 'pipe'],
    });
    this.#process.on('message', (batch) => this.#receive(batch as unknown as Batch<FromHost>));
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrKept);
    });
    // A pipe is reset when the process ends; its exit says more.
    for (const pipe of this.#process.stdio) pipe?.on('error', () => {});
    this.#process.stdio[hostPipes.finalMessages]?.on('data', (chunk: Buffer) => {
      this.#finalMessages.push(chunk);
    });
    this.exited = new Promise((resolve) => this.#onceExited(resolve));
  }

  /** Undefined when the process could not be started; `exited` follows. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Messages that came before are told at once. */
  observe(observer: ChildObserver): void {
    this.#observer = observer;
    const early = this.#early;
    this.#early = [];
    for (const message of early) observer.message(message);
  }

  /** The messages of one turn of the loop go as one batch. */
  send(message: ToHost): void {
    this.#outgoing.push(message);
    if (this.#outgoing.length === 1) setImmediate(() => this.#flush());
  }

  kill(): void {
    // Node sends the signal to pid 0, which is our own process group, when the start has just failed.
    if (this.pid !== undefined) this.#process.kill('SIGKILL');
  }

  #flush(): void {
    const m = this.#outgoing;
    this.#outgoing = [];
    if (!this.#process.connected) return;
    this.#sent += 1;
    const batch: Batch<ToHost> = { q: this.#sent, m };
    // The channel closes when the process ends, and `exited` tells that.
    this.#process.send(batch, () => {});
  }

  #receive(batch: Batch<FromHost>): void {
    if (batch.q <= this.#received) return;
    this.#received = batch.q;
    for (const message of batch.m) {
      if (this.#observer === undefined) this.#early.push(message);
      else this.#observer.message(message);
    }
  }

  #onceExited(resolve: () => void): void {
    let exit: { code: number | null; signal: NodeJS.Signals | null } = { code: null, signal: null };
    const exited = (): void => {
      if (!this.#alive) return;
      this.#alive = false;
      this.#readFinalMessages();
      this.#observer?.exited({ ...exit, stderr: this.#stderr });
      resolve();
    };
    this.#process.on('exit', (code, signal) => {
      exit = { code, signal };
      setTimeout(exited, drainMs).unref();
    });
    this.#process.on('close', exited);
    this.#process.on('error', (error) => {
      this.#stderr += `${error.message}\n`;
      if (this.#process.pid === undefined) exited();
    });
  }

  #readFinalMessages(): void {
    if (this.#finalMessages.length === 0) return;
    try {
      const batches = deserialize(Buffer.concat(this.#finalMessages)) as Batch<FromHost>[];
      for (const batch of batches) this.#receive(batch);
    } catch {
      // Cut off in the middle: the process was killed while it wrote. Its exit is told all the same.
    }
  }
}
