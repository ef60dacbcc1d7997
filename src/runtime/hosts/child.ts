import { fork, type ChildProcess } from 'node:child_process';
import { deserialize } from 'node:v8';
import { hostPipes, type Batch, type FromHost, type ToHost } from '../../protocol/host.ts';
import { markArgument } from './leftovers.ts';

export interface ChildOptions {
  /** Absolute path of component-host.js. */
  readonly entry: string;
  readonly execPath: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Written in the command line, so that a leftover can be told from a stranger with its pid. */
  readonly mark: string;
}

export interface ChildListener {
  message(message: FromHost): void;
  /** The process is gone and everything it said was heard. Called once. */
  gone(exit: { code: number | null; signal: NodeJS.Signals | null; stderr: string }): void;
}

/** How much of stderr is kept, in characters: V8's report of a full heap fits. */
const stderrKept = 8 * 1024;
/** How long a grandchild that holds stderr open may delay the end of its parent. */
const drainMs = 500;

/** One forked process: batches in and out, and one end. Knows nothing of components. */
export class Child {
  /** Resolves when the process is gone and everything it said was heard. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #lastWords: Buffer[] = [];
  #listener: ChildListener | undefined;
  #early: FromHost[] = [];
  #outgoing: ToHost[] = [];
  #sent = 0;
  #heard = 0;
  #stderr = '';
  #alive = true;

  constructor(options: ChildOptions) {
    this.#process = fork(options.entry, [markArgument(options.mark)], {
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
    // A reset pipe is a process that is gone; its exit says more.
    for (const pipe of this.#process.stdio) pipe?.on('error', () => {});
    this.#process.stdio[hostPipes.finalMessages]?.on('data', (chunk: Buffer) => {
      this.#lastWords.push(chunk);
    });
    this.gone = new Promise((resolve) => this.#onceGone(resolve));
  }

  /** Undefined when the process could not be started; `gone` follows. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Messages that came before are told at once. */
  listen(listener: ChildListener): void {
    this.#listener = listener;
    const early = this.#early;
    this.#early = [];
    for (const message of early) listener.message(message);
  }

  /** Everything said within one turn of the loop goes as one batch. */
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
    // A channel that closes meanwhile belongs to a process that is gone: `gone` tells it.
    this.#process.send(batch, () => {});
  }

  #receive(batch: Batch<FromHost>): void {
    if (batch.q <= this.#heard) return;
    this.#heard = batch.q;
    for (const message of batch.m) {
      if (this.#listener === undefined) this.#early.push(message);
      else this.#listener.message(message);
    }
  }

  #onceGone(resolve: () => void): void {
    let exit: { code: number | null; signal: NodeJS.Signals | null } = { code: null, signal: null };
    const gone = (): void => {
      if (!this.#alive) return;
      this.#alive = false;
      this.#hearLastWords();
      this.#listener?.gone({ ...exit, stderr: this.#stderr });
      resolve();
    };
    this.#process.on('exit', (code, signal) => {
      exit = { code, signal };
      setTimeout(gone, drainMs).unref();
    });
    this.#process.on('close', gone);
    this.#process.on('error', (error) => {
      this.#stderr += `${error.message}\n`;
      if (this.#process.pid === undefined) gone();
    });
  }

  #hearLastWords(): void {
    if (this.#lastWords.length === 0) return;
    try {
      const batches = deserialize(Buffer.concat(this.#lastWords)) as Batch<FromHost>[];
      for (const batch of batches) this.#receive(batch);
    } catch {
      // Cut off in the middle: the process was killed while it spoke. Its exit is told all the same.
    }
  }
}
