import { serialize } from 'node:v8';
import type { Batch, FromHost } from '../protocol/host.ts';
import type { Invocation } from './invocation.ts';

/** Above this many bytes, what was produced is not held back until the end of the turn. */
export const flushAt = 64 * 1024;

/** The two ways out of the process. */
export interface Wire {
  /** Over IPC; `sent` is called when the bytes have left this process. */
  send(batch: Batch<FromHost>, sent: () => void): void;
  /** Synchronously, over the pipe that the runtime reads when the process is gone. */
  lastWords(bytes: Uint8Array): void;
}

/**
 * Gathers what the host has to say and sends it as one batch at the end of the turn. What the system
 * has not taken yet is kept, so that a process that ends can say it again.
 */
export class Outbox {
  readonly #wire: Wire;
  readonly #unsent = new Map<number, Batch<FromHost>>();
  readonly #changed = new Set<Invocation>();
  #messages: FromHost[] = [];
  #bytes = 0;
  #scheduled = false;
  #q = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  post(message: FromHost): void {
    this.#messages.push(message);
    this.#schedule();
  }

  /** An invocation has `bytes` more to tell; they are fetched when the batch is made. */
  changed(invocation: Invocation, bytes: number): void {
    this.#changed.add(invocation);
    this.#bytes += bytes;
    if (this.#bytes >= flushAt) this.flush();
    else this.#schedule();
  }

  /** What an invocation still has is said with its end. */
  done(invocation: Invocation, message: FromHost): void {
    this.#changed.delete(invocation);
    this.post(message);
  }

  flush(): void {
    const batch = this.#batch();
    if (batch === undefined) return;
    this.#unsent.set(batch.q, batch);
    this.#wire.send(batch, () => this.#unsent.delete(batch.q));
  }

  /** Says everything that may not have arrived, and one last message, before the process ends. */
  lastWords(ending: FromHost): void {
    this.#messages.push(...this.#progress(), ending);
    const last = this.#batch();
    const batches = [...this.#unsent.values(), ...(last === undefined ? [] : [last])];
    this.#wire.lastWords(serialize(batches));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  #batch(): Batch<FromHost> | undefined {
    if (this.#changed.size > 0) this.#messages.push(...this.#progress());
    if (this.#messages.length === 0) return undefined;
    const m = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    this.#q += 1;
    return { q: this.#q, m };
  }

  #progress(): FromHost[] {
    const messages: FromHost[] = [];
    for (const invocation of this.#changed) {
      messages.push({ t: 'progress', n: invocation.n, ...invocation.take() });
    }
    this.#changed.clear();
    return messages;
  }
}
