import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { WeirError } from '../../protocol/errors.ts';
import { encodeFrame, FrameReader, FrameTooLong } from '../../protocol/frames.ts';
import { hostPipes, type Batch, type FromHost, type ToHost } from '../../protocol/host.ts';
import { decode } from '../../protocol/message-pack/decode.ts';
import { tokenArgument } from './leftovers.ts';
import { asBatch, nameOfMessage, sizeOfMessage, workOf } from './messages.ts';

export interface ChildOptions {
  /** Absolute path of component-host.js. */
  readonly entry: string;
  readonly execPath: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** In the command line, so that a leftover process is distinguished from a foreign one with its pid. */
  readonly token: string;
}

/** Gets the messages of a process, and its end. */
export interface ChildObserver {
  /** @param size of what a run has produced by it (`sizeOfMessage`) */
  message(message: FromHost, size: number): void;
  /** The process has ended and all its messages were passed on. Called once. */
  exited(exit: {
    code: number | null;
    signal: NodeJS.Signals | null;
    stderr: string;
    violation: Violation | null;
  }): void;
}

/** A process sent what no component host sends, and was ended for it. */
export interface Violation {
  /** The piece of work it spoke of; null when that is not known. */
  readonly n: number | null;
  /** Goes on after "its process sent": "bytes that are no message". */
  readonly what: string;
}

/** How much of stderr is kept, in characters: V8's report of a full heap fits. */
const stderrKept = 8 * 1024;
/** How long a grandchild that holds stderr open may delay the end of its parent. */
const drainMs = 500;
/** The longest batch, and the most of final messages, in bytes: what is held before it can be checked. */
const longestBatch = 256 * 1024 * 1024;
/**
 * The most values in one batch. A value of a byte can take a hundred in memory, so a length in bytes alone is no
 * bound; a run that writes as many keys of a db as it may (64 MB of output) ends with 2.6 million.
 */
const mostValues = 4 * 1024 * 1024;

/**
 * A forked process: batches in and out, and one end. Knows nothing of components. It trusts nothing that the process
 * sends: a process that breaks the protocol is ended, and `exited` says why.
 */
export class Child {
  /** Resolves when the process has ended and all its messages were passed on. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #channel: Duplex;
  readonly #frames = new FrameReader(longestBatch);
  readonly #finalMessages: Buffer[] = [];
  #finalBytes = 0;
  #observer: ChildObserver | undefined;
  #early: Parameters<ChildObserver['message']>[] = [];
  #outgoing: ToHost[] = [];
  #sent = 0;
  /** Number of the last batch that was passed on. */
  #received = 0;
  #stderr = '';
  #violation: Violation | null = null;
  #alive = true;

  constructor(options: ChildOptions) {
    const args = [
      `--max-old-space-size=${options.memoryMb}`,
      '--no-deprecation',
      '--disable-warning=ExperimentalWarning',
      options.entry,
      tokenArgument(options.token),
    ];
    this.#process = spawn(options.execPath, args, {
      env: { ...options.environment },
      // On Windows a pipe that is read and written at once has to be overlapped; elsewhere it is a pipe.
      stdio: ['ignore', 'ignore', 'pipe', 'overlapped', 'pipe'],
    });
    // First: a process that cannot be started is told by an event, which would end the runtime unheard.
    this.exited = new Promise((resolve) => this.#onceExited(resolve));
    requirePipes(this.#process);
    this.#channel = this.#process.stdio[hostPipes.channel] as Duplex;
    this.#channel.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrKept);
    });
    // A pipe is reset when the process ends; its exit says more.
    for (const pipe of this.#process.stdio) pipe?.on('error', () => {});
    this.#process.stdio[hostPipes.finalMessages]?.on('data', (chunk: Buffer) => {
      this.#finalBytes += chunk.length;
      if (this.#finalBytes <= longestBatch) this.#finalMessages.push(chunk);
      else this.#refuse({ n: null, what: `more than ${inMb(longestBatch)} of final messages` });
    });
  }

  /** Undefined when the process could not be started; `exited` follows. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Messages that arrived before are passed on at once. */
  observe(observer: ChildObserver): void {
    this.#observer = observer;
    const early = this.#early;
    this.#early = [];
    for (const [message, size] of early) observer.message(message, size);
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
    // The channel closes when the process ends, and `exited` tells that.
    if (!this.#channel.writable) return;
    this.#sent += 1;
    const batch: Batch<ToHost> = { q: this.#sent, m };
    this.#channel.write(encodeFrame(batch));
  }

  #read(chunk: Buffer): void {
    if (this.#violation !== null) return;
    try {
      this.#frames.push(chunk, (body) => {
        const batch = asBatch(decoded(body));
        if (batch === undefined) this.#refuse({ n: null, what: 'bytes that are not message' });
        else this.#receive(batch);
      });
    } catch (error) {
      if (!(error instanceof FrameTooLong)) throw error;
      const what = `a message of ${inMb(error.length)}, and ${inMb(longestBatch)} is the most`;
      this.#refuse({ n: null, what });
    }
  }

  #receive(batch: Batch<unknown>): void {
    if (this.#violation !== null) return;
    if (batch.q !== this.#received + 1) this.#refuse({ n: null, what: 'a message out of turn' });
    this.#received = batch.q;
    for (const message of batch.m) {
      if (this.#violation !== null) return;
      const size = sizeOfMessage(message);
      if (size === undefined) this.#refuse({ n: workOf(message), what: nameOfMessage(message) });
      else this.#tell(message as FromHost, size);
    }
  }

  #tell(message: FromHost, size: number): void {
    if (this.#observer === undefined) this.#early.push([message, size]);
    else this.#observer.message(message, size);
  }

  /** Whatever else it sends is passed over. */
  #refuse(violation: Violation): void {
    this.#violation ??= violation;
    this.#finalMessages.length = 0;
    this.kill();
  }

  #onceExited(resolve: () => void): void {
    let exit: { code: number | null; signal: NodeJS.Signals | null } = { code: null, signal: null };
    const exited = (): void => {
      if (!this.#alive) return;
      this.#alive = false;
      this.#readFinalMessages();
      this.#observer?.exited({ ...exit, stderr: this.#stderr, violation: this.#violation });
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
    const batches = decoded(Buffer.concat(this.#finalMessages));
    // Incomplete, because the process was killed while it wrote. Its exit is reported all the same.
    if (!Array.isArray(batches)) return;
    for (const value of batches as unknown[]) {
      const batch = asBatch(value);
      if (batch === undefined) return;
      // It repeats batches that may have arrived already.
      if (batch.q > this.#received) this.#receive(batch);
    }
  }
}

/** @throws WeirError `runtime_unavailable` where the system had no files left for the pipes: Node makes none then */
function requirePipes({ stdio }: { readonly stdio?: ChildProcess['stdio'] }): void {
  if (stdio !== undefined) return;
  throw new WeirError(
    'runtime_unavailable',
    'The system lets this runtime open no more files, so no process could be started. Raise the limit (ulimit -n).',
  );
}

/** Undefined for bytes that are no message. */
function decoded(bytes: Buffer): unknown {
  try {
    return decode(bytes, mostValues);
  } catch {
    return undefined;
  }
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
