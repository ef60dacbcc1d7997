import type { Batch, FromHost, Produced } from '../../../protocol/host.ts';
import { encode } from '../../../protocol/message-pack/encode.ts';

/** When this many bytes have gathered, the batch does not wait for the end of the turn. */
const flushAt = 64 * 1024;

/** How often output that people watch is sent at most, in ms: a turn may take any time. */
const watchedMs = 100;

/** Component code may put a clock of its own into the place of Node's. */
const monotonic = performance.now.bind(performance);

/** The two ways out of the process. */
export interface Transport {
  /** Over the channel; `sent` is called when the bytes have left this process. */
  send(batch: Batch<FromHost>, sent: () => void): void;
  /** Synchronously, over the pipe that the runtime reads when the process is gone. */
  sendFinal(bytes: Uint8Array): void;
}

/** An invocation, as far as it is sent. */
export interface Producer {
  readonly n: number;
  /** Takes the output produced since the last call. */
  takeProduced(): Partial<Produced>;
  /** Takes the remaining output at the end. */
  takeFinal(): Partial<Produced>;
}

/**
 * Gathers messages to the runtime and sends them as one batch at the end of the turn, or before it. A batch is kept
 * until the system has taken it, so that a process that ends can send it again.
 */
export class Outbox {
  readonly #transport: Transport;
  /** In ms, from any beginning. */
  readonly #now: () => number;
  readonly #unsent = new Map<number, Batch<FromHost>>();
  readonly #changed = new Set<Producer>();
  #messages: FromHost[] = [];
  #bytes = 0;
  #scheduled = false;
  #q = 0;
  #watchedAt = -Infinity;

  constructor(transport: Transport, now = monotonic) {
    this.#transport = transport;
    this.#now = now;
  }

  post(message: FromHost): void {
    this.#messages.push(message);
    this.#schedule();
  }

  /** `producer` has `bytes` more to send; they are fetched when the batch is made. */
  changed(producer: Producer, bytes: number): void {
    this.#changed.add(producer);
    this.#bytes += bytes;
    if (this.#bytes >= flushAt) this.flush();
    else this.#schedule();
  }

  /** Sends output that people watch while the code runs: a loop that never awaits ends no turn. */
  watched(producer: Producer, bytes: number): void {
    this.changed(producer, bytes);
    const now = this.#now();
    if (now - this.#watchedAt < watchedMs) return;
    this.#watchedAt = now;
    this.flush();
  }

  /** Posts the message that ends an invocation, with what it has produced and not sent yet. */
  postDone(
    producer: Producer,
    end: Pick<Extract<FromHost, { t: 'done' }>, 'error' | 'result'>,
  ): void {
    this.#changed.delete(producer);
    this.post({ t: 'done', n: producer.n, ...end, ...producer.takeFinal() });
  }

  flush(): void {
    const batch = this.#batch();
    if (batch === undefined) return;
    this.#unsent.set(batch.q, batch);
    this.#transport.send(batch, () => this.#unsent.delete(batch.q));
  }

  /** Sends everything that may not have arrived, and one last message, before the process ends. */
  flushFinal(last: FromHost): void {
    this.#addProgress();
    this.#messages.push(last);
    const batch = this.#batch();
    const batches = [...this.#unsent.values(), ...(batch === undefined ? [] : [batch])];
    this.#transport.sendFinal(encode(batches));
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
    this.#addProgress();
    if (this.#messages.length === 0) return undefined;
    const m = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    this.#q += 1;
    return { q: this.#q, m };
  }

  #addProgress(): void {
    for (const producer of this.#changed) {
      this.#messages.push({ t: 'progress', n: producer.n, ...producer.takeProduced() });
    }
    this.#changed.clear();
  }
}
