/**
 * Sends the `$.send.http`, `email` and `s3` of steps: once each, when their leg is on disk. Sends that a crash
 * interrupted leave at the next start; then they may be sent twice, but are never lost.
 */
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { OutgoingSend } from '../../../protocol/host-steps.ts';
import type { WorkHold } from '../../events/work-hold.ts';
import type { SendRecord } from '../../store/history/sends.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Services } from '../../events/services.ts';

/** Sends one kind. Resolves with what it was answered, as far as it is worth keeping; rejects when it failed. */
export type Sender<K extends OutgoingSend['kind']> = (
  send: Extract<OutgoingSend, { kind: K }>,
  record: Pick<SendRecord, 'n' | 'emitterId'>,
) => Promise<unknown>;

export interface SendsOptions
  extends UsesStore<'sends'>, Pick<Services, 'emitters' | 'clock' | 'report'> {
  /** Whether anything may go out. */
  readonly hold: Pick<WorkHold, 'isHeld' | 'onRelease'>;
  readonly senders: { readonly [K in OutgoingSend['kind']]: Sender<K> };
}

/** How many are sent side by side. */
const most = 16;

export class Sends {
  readonly #options: SendsOptions;
  readonly #waiting: SendRecord[] = [];
  /** Until what came of it is stored. */
  readonly #going = new Map<SendRecord, Promise<void>>();
  #closed = false;
  #isStopped = false;

  constructor(options: SendsOptions) {
    this.#options = options;
    options.hold.onRelease(() => this.#next());
  }

  /** Nothing of this workflow goes out, or waits to. */
  isIdle(emitterId: string): boolean {
    const isOf = (record: SendRecord): boolean => record.emitterId === emitterId;
    return !this.#waiting.some(isOf) && ![...this.#going.keys()].some(isOf);
  }

  /** Its next owner sends what has not gone out. */
  forget(emitterId: string): void {
    const others = this.#waiting.filter((record) => record.emitterId !== emitterId);
    this.#waiting.splice(0, this.#waiting.length, ...others);
  }

  /** They are on disk. */
  enqueue(records: readonly SendRecord[]): void {
    for (const record of records) this.#waiting.push(record);
    this.#next();
  }

  /** Lets nothing more go out; the next start sends it. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when nothing goes out just now: call `stop` before. */
  async settled(): Promise<void> {
    while (this.#going.size > 0) await Promise.all(this.#going.values());
  }

  /** Nothing goes out any more; what waits does at the next start. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  #next(): void {
    while (!this.#closed && !this.#isStopped && this.#going.size < most) {
      if (this.#waiting.length === 0 || this.#options.hold.isHeld) return;
      const record = this.#waiting.shift();
      if (record === undefined) return;
      const ending = this.#send(record).finally(() => {
        this.#going.delete(record);
        this.#next();
      });
      this.#going.set(record, ending);
    }
  }

  async #send(record: SendRecord): Promise<void> {
    const { store, emitters, clock, report } = this.#options;
    const { n, send } = record;
    const end = await this.#attempt(send, record).then(
      (answer) => ({ status: 'sent' as const, answer: JSON.stringify(answer ?? null) }),
      (error: unknown) => ({
        status: 'failed' as const,
        error: { name: error instanceof Error ? error.name : 'Error', message: messageOf(error) },
      }),
    );
    const owner = emitters.get(record.emitterId);
    // The runtime has ended meanwhile, or the workflow is gone.
    if (this.#closed || owner === undefined) return;
    try {
      await store.sends.end(owner, { n, ...end, at: clock.now() });
    } catch (error) {
      if (!WeirError.is(error, 'store_failed')) report('What became of a send', error);
    }
  }

  #attempt(send: SendRecord['send'], record: SendRecord): Promise<unknown> {
    const { senders } = this.#options;
    switch (send.kind) {
      case 'http':
        return senders.http(send, record);
      case 'email':
        return senders.email(send, record);
      case 's3':
        return senders.s3(send, record);
      case 'sse':
      case 'trigger':
        // Done with the commit of their leg: they never wait.
        return Promise.reject(new Error(`There is nothing to send of "${send.kind}".`));
    }
  }
}
