/**
 * Sends what commits have put into the store, and sends it again until it arrives or is given up.
 * The store is the truth; what waits for long is here a number only, so that a target that is down costs
 * little memory.
 */
import { WeirError } from '../../../protocol/errors.ts';
import { EndOfTurn } from '../../base/end-of-turn.ts';
import type { Random } from '../../base/ids.ts';
import { settledWithin } from '../../base/clock.ts';
import type { WorkHold } from '../work-hold.ts';
import type { DeliveryRecord, Outgoing } from '../../store/history/deliveries.ts';
import type { UsesStore } from '../../store/store.ts';
import { attemptDelivery, type Attempt } from './attempt.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { isOpen, longestRetryDelay, planNext } from './plan.ts';
import { RecentMessages } from './recent-messages.ts';
import { RetryClock } from './retry-clock.ts';
import { createSender, type Sender } from './send.ts';
import { Targets, type Target } from './targets.ts';
import type { Services } from '../services.ts';

export interface Deliveries {
  /** Takes up the open deliveries of an emitter that this runtime has taken, in the order of emission. */
  take(open: readonly DeliveryRecord[]): void;
  /** Nothing is sent before. */
  start(): void;
  /** First attempts for what a commit has made, in this order. */
  enqueue(made: readonly Outgoing[]): void;
  /**
   * Makes one attempt now, whatever the state of the delivery; never schedules another. Resolves with the delivery when
   * the attempt is on disk. Throws `not_found` if there is nothing to send.
   */
  redeliver(n: number): Promise<DeliveryRecord>;
  /** The webhook is about to be deleted: nothing more is sent to it. */
  forget(webhookId: string): void;
  /** Something of this emitter is being sent. */
  isSending(emitterId: string): boolean;
  /**
   * Of all webhooks: deliveries that wait for their turn or have it, and deliveries that wait for the time of their
   * next attempt.
   */
  readonly depth: { readonly waiting: number; readonly retrying: number };
  /** Starts nothing more, lets what is in flight finish, then cuts it off: the next start sends it. */
  close(graceMs?: number): Promise<void>;
}

export interface DeliveriesOptions
  extends UsesStore<'deliveries' | 'webhooks'>, Pick<Services, 'signals' | 'clock' | 'report'> {
  /**
   * Fence of an emitter's owner; undefined for an emitter that is gone, or that another runtime owns: this runtime
   * sends nothing of it.
   */
  readonly fenceOf: (emitterId: string) => number | undefined;
  readonly random: Random;
  /** Whether an attempt may begin. */
  readonly hold: Pick<WorkHold, 'isHeld' | 'onRelease'>;
  /** Throws `store_failed` when the key does not fit. */
  readonly openSecret: (sealed: string) => string;
  /** First attempts in flight per webhook. 1 keeps the order of emission. */
  readonly concurrency: number;
  /** From the start of an attempt to the end of the answer. 30 s (P19.9). */
  readonly timeoutMs?: number;
}

/** Retries in flight per webhook: apart from first attempts, so that none holds up the other. */
const retriesInFlight = 4;

/** Characters of payload that wait in memory, of all webhooks together. */
const recentCharacters = 8 * 1024 * 1024;

const defaultTimeoutMs = 30_000;
const defaultGraceMs = 3000;

interface Queues {
  readonly first: DeliveryQueue;
  readonly retry: DeliveryQueue;
}

/** A delivery with an attempt under way; a person may make another one beside it. */
interface Attempted {
  /** Its state on disk after the completed attempts. */
  delivery: DeliveryRecord;
  attempts: number;
  /** The attempt that is being stored. */
  storing: Promise<unknown> | undefined;
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  return new Dispatcher(options);
}

class Dispatcher implements Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #sender: Sender;
  readonly #targets: Targets;
  /** Queues of the webhooks that have deliveries. */
  readonly #queues = new Map<string, Queues>();
  readonly #recent = new RecentMessages(recentCharacters);
  readonly #attempted = new Map<number, Attempted>();
  readonly #retries: RetryClock;
  readonly #inFlight = new Set<Promise<unknown>>();
  /** All answers of a turn are kept, and then what follows them is sent. */
  readonly #endOfTurn = new EndOfTurn();
  readonly #onWebhook = (id: string) => {
    this.#targets.forget(id);
    this.#sendNext(id);
  };
  #state: 'new' | 'started' | 'closed' = 'new';

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#sender = createSender(options.timeoutMs ?? defaultTimeoutMs);
    this.#targets = new Targets(options.store.webhooks, options.openSecret);
    this.#retries = new RetryClock({
      clock: options.clock,
      due: ({ n, webhookId }) => {
        this.#queuesOf(webhookId).retry.push(n);
        this.#sendNext(webhookId);
      },
    });
    options.signals.on('webhook', this.#onWebhook);
    options.hold.onRelease(() => this.#sendAll());
  }

  take(open: readonly DeliveryRecord[]): void {
    const latest = this.#options.clock.now() + longestRetryDelay;
    for (const { n, webhookId, status, nextAt } of open) {
      // A clock that was set back meanwhile must not put a retry off for days.
      if (status === 'retrying')
        this.#retries.push(Math.min(nextAt ?? 0, latest), { n, webhookId });
      else this.#queuesOf(webhookId).first.push(n);
    }
    this.#sendAll();
  }

  start(): void {
    this.#state = 'started';
    this.#sendAll();
  }

  enqueue(made: readonly Outgoing[]): void {
    if (this.#state === 'closed') return;
    for (const outgoing of made) {
      const { n, webhookId } = outgoing.delivery;
      this.#recent.add(outgoing);
      this.#queuesOf(webhookId).first.push(n);
      this.#sendNext(webhookId);
    }
  }

  async redeliver(n: number): Promise<DeliveryRecord> {
    // A waiting delivery is read again when its turn comes, because it may have arrived by then.
    this.#recent.take(n);
    const outgoing = await this.#options.store.deliveries.outgoing(n);
    if (this.#state === 'closed') throw new WeirError('cancelled', 'The runtime is stopping.');
    const target = outgoing && this.#targets.get(outgoing.delivery.webhookId);
    if (outgoing === undefined || target === undefined) {
      throw new WeirError('not_found', `Delivery ${n}, or its webhook, is gone.`);
    }
    const record = await this.#track(this.#attempt(outgoing, target, true));
    if (record === undefined) {
      throw new WeirError('cancelled', `Delivery ${n} was cut off; it may have arrived.`);
    }
    return record.stored;
  }

  forget(webhookId: string): void {
    this.#queues.delete(webhookId);
    this.#recent.forget(webhookId);
    this.#targets.forget(webhookId);
  }

  isSending(emitterId: string): boolean {
    for (const { delivery } of this.#attempted.values()) {
      if (delivery.emitterId === emitterId) return true;
    }
    return false;
  }

  async close(graceMs = defaultGraceMs): Promise<void> {
    this.#state = 'closed';
    this.#retries.close();
    this.#options.signals.off('webhook', this.#onWebhook);
    await settledWithin(this.#options.clock, graceMs, Promise.allSettled(this.#inFlight));
    await this.#sender.close();
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  get depth(): Deliveries['depth'] {
    let waiting = 0;
    for (const { first, retry } of this.#queues.values()) waiting += first.size + retry.size;
    return { waiting, retrying: this.#retries.size };
  }

  #queuesOf(webhookId: string): Queues {
    let queues = this.#queues.get(webhookId);
    if (queues === undefined) {
      queues = {
        first: new DeliveryQueue(this.#options.concurrency),
        retry: new DeliveryQueue(retriesInFlight),
      };
      this.#queues.set(webhookId, queues);
    }
    return queues;
  }

  #sendAll(): void {
    for (const webhookId of this.#queues.keys()) this.#sendNext(webhookId);
  }

  /** Starts what may start. A webhook that is switched off keeps what waits for it. */
  #sendNext(webhookId: string): void {
    const queues = this.#queues.get(webhookId);
    if (queues === undefined || this.#state !== 'started') return;
    const target = this.#targets.get(webhookId);
    if (target?.active === false) return;
    for (const queue of [queues.first, queues.retry]) {
      while (!queue.isEmpty && !this.#options.hold.isHeld) {
        const n = queue.start();
        if (n === undefined) break;
        void this.#track(this.#send(n, queue, webhookId, target));
      }
    }
    if (queues.first.idle && queues.retry.idle) this.#queues.delete(webhookId);
  }

  /** Never rejects. */
  async #send(
    n: number,
    queue: DeliveryQueue,
    webhookId: string,
    target: Target | undefined,
  ): Promise<void> {
    let outgoing: Outgoing | undefined;
    try {
      outgoing = this.#recent.take(n) ?? (await this.#options.store.deliveries.outgoing(n));
    } catch (error) {
      // The disk did not give it: it keeps its place, and is tried again when something happens to this
      // webhook (an event, a retry, an attempt that ends, a change), or at the next start.
      this.#report(error);
      queue.putBack(n);
      return;
    }
    // The store may have failed while it was read.
    if (this.#options.hold.isHeld) {
      queue.putBack(n);
      return;
    }
    try {
      // Delivered by hand meanwhile, deleted with its webhook, or left to another owner.
      if (
        target !== undefined &&
        outgoing !== undefined &&
        isOpen(outgoing.delivery) &&
        this.#isOurs(outgoing.delivery.emitterId)
      ) {
        await this.#attempt(outgoing, target, false);
      }
    } catch (error) {
      this.#report(error);
    }
    queue.done();
    this.#sendNext(webhookId);
  }

  /**
   * One attempt. By schedule it resolves when its record is with the store, which the next one need not
   * wait for: at worst it is sent again. By hand it resolves when that is on disk, and rejects when it
   * cannot be stored. Undefined when the runtime stopped before the attempt was over.
   */
  async #attempt(
    outgoing: Outgoing,
    target: Target,
    manual: boolean,
  ): Promise<{ readonly stored: DeliveryRecord } | undefined> {
    const { delivery } = outgoing;
    const { n } = delivery;
    const attempted = this.#attempted.get(n) ?? {
      delivery,
      attempts: 0,
      storing: undefined,
    };
    this.#attempted.set(n, attempted);
    attempted.attempts += 1;
    const { clock } = this.#options;
    const parts = { sender: this.#sender, now: () => clock.now() };
    const attempt = await attemptDelivery(parts, outgoing, target);
    if (attempt !== undefined && !manual) {
      await new Promise<void>((resolve) => this.#endOfTurn.add(resolve));
    }
    while (attempted.storing !== undefined) await attempted.storing.catch(() => undefined);
    const stored = attempt && this.#track(this.#store(attempted, attempt, manual));
    attempted.storing = stored;
    const settled = (): void => {
      attempted.storing = undefined;
      attempted.attempts -= 1;
      if (attempted.attempts === 0) this.#attempted.delete(n);
    };
    if (stored === undefined) {
      settled();
      return undefined;
    }
    stored.then(settled, (error: unknown) => {
      settled();
      // If an emitter was released meanwhile, its next owner sends the delivery again.
      if (!manual && this.#isOurs(delivery.emitterId)) this.#report(error);
    });
    return { stored: manual ? await stored : attempted.delivery };
  }

  /** Keeps the attempt and what follows from it. */
  async #store(attempted: Attempted, attempt: Attempt, manual: boolean): Promise<DeliveryRecord> {
    const { store, signals, clock, random } = this.#options;
    const { delivery } = attempted;
    const { n, webhookId } = delivery;
    const record = manual ? { ...attempt.record, manual } : attempt.record;
    const result = { failure: attempt.failure, answer: attempt.record.response, manual };
    const next = planNext(delivery, result, clock.now(), random);
    if (!manual && next.status === 'retrying' && next.nextAt !== null) {
      this.#retries.push(next.nextAt, { n, webhookId });
    }
    const fence = this.#options.fenceOf(delivery.emitterId) ?? 0;
    const moved = await store.deliveries.record(fence, delivery, record, next);
    attempted.delivery = moved;
    signals.emit('delivery', moved);
    return moved;
  }

  #isOurs(emitterId: string): boolean {
    return this.#options.fenceOf(emitterId) !== undefined;
  }

  #track<T>(promise: Promise<T>): Promise<T> {
    this.#inFlight.add(promise);
    const ended = () => this.#inFlight.delete(promise);
    promise.then(ended, ended);
    return promise;
  }

  #report(error: unknown): void {
    this.#options.report('A delivery', error);
  }
}
