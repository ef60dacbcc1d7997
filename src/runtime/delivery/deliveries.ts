/**
 * Sends what commits have put into the store, and sends it again until it arrives or is given up.
 * The store is the truth; here are only numbers, so that a target that is down costs little memory.
 */
import { WeirError } from '../../protocol/errors.ts';
import { EndOfTurn } from '../end-of-turn.ts';
import type { Random } from '../ids.ts';
import { systemTimer, type SetTimer } from '../set-timer.ts';
import type { Signals } from '../signals.ts';
import type { DeliveryRecord, Outgoing } from '../store/history/deliveries.ts';
import type { Store } from '../store/store.ts';
import { attemptDelivery, type Attempt } from './attempt.ts';
import { Lane } from './lane.ts';
import { isOpen, longestRetryDelay, planNext } from './plan.ts';
import { RetryClock } from './retry-clock.ts';
import { createSender, type Sender } from './send.ts';
import { Targets, type Target } from './targets.ts';

export interface Deliveries {
  /** Takes up every open delivery of the store. What is enqueued before is found there. */
  start(): void;
  /** First attempts for what a commit has made, in this order. */
  enqueue(records: readonly DeliveryRecord[]): void;
  /**
   * One attempt now, whatever became of the delivery before; never schedules another. Resolves with
   * the delivery when the attempt is on disk. Throws `not_found` when there is nothing to send.
   */
  redeliver(n: number): Promise<DeliveryRecord>;
  /** The webhook is about to be deleted: nothing more is sent to it. */
  forget(webhookId: string): void;
  /** Starts nothing more, lets what is in flight finish, then cuts it off: the next start sends it. */
  close(graceMs?: number): Promise<void>;
}

export interface DeliveriesOptions {
  readonly store: Pick<Store, 'deliveries' | 'webhooks'>;
  readonly signals: Signals;
  readonly now: () => number;
  readonly random: Random;
  /** Throws `store_failed` when the key does not fit. */
  readonly openSecret: (sealed: string) => string;
  /** First attempts in flight per webhook. 1 keeps the order of emission. */
  readonly concurrency: number;
  readonly report: (where: string, error: unknown) => void;
  /** From the start of an attempt to the end of the answer. 30 s (P19.9). */
  readonly timeoutMs?: number;
  readonly setTimer?: SetTimer;
}

/** Retries in flight per webhook: apart from first attempts, so that none holds up the other. */
const retriesInFlight = 4;

const defaultTimeoutMs = 30_000;
const defaultGraceMs = 3000;

interface Lanes {
  readonly first: Lane;
  readonly retry: Lane;
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  return new Dispatcher(options);
}

class Dispatcher implements Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #sender: Sender;
  readonly #targets: Targets;
  /** Of the webhooks that have something to do. */
  readonly #lanes = new Map<string, Lanes>();
  readonly #retries: RetryClock;
  readonly #inFlight = new Set<Promise<unknown>>();
  /** All answers of a turn are kept, and then what follows them is sent. */
  readonly #endOfTurn = new EndOfTurn();
  readonly #onWebhook = (id: string) => {
    this.#targets.forget(id);
    this.#pump(id);
  };
  #state: 'new' | 'started' | 'closed' = 'new';
  /** The newest delivery that `start` found. */
  #found = 0;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#sender = createSender(options.timeoutMs ?? defaultTimeoutMs);
    this.#targets = new Targets(options.store.webhooks, options.openSecret);
    this.#retries = new RetryClock({
      now: options.now,
      setTimer: options.setTimer ?? systemTimer,
      due: ({ n, webhookId }) => {
        this.#lanesOf(webhookId).retry.push(n);
        this.#pump(webhookId);
      },
    });
    options.signals.on('webhook', this.#onWebhook);
  }

  start(): void {
    this.#state = 'started';
    const latest = this.#options.now() + longestRetryDelay;
    for (const { n, webhookId, status, nextAt } of this.#options.store.deliveries.open()) {
      this.#found = Math.max(this.#found, n);
      // A clock that was set back meanwhile must not put a retry off for days.
      if (status === 'retrying')
        this.#retries.push(Math.min(nextAt ?? 0, latest), { n, webhookId });
      else this.#lanesOf(webhookId).first.push(n);
    }
    for (const webhookId of this.#lanes.keys()) this.#pump(webhookId);
  }

  enqueue(records: readonly DeliveryRecord[]): void {
    if (this.#state !== 'started') return;
    for (const { n, webhookId } of records) {
      // A commit that was under way at the start was found there already.
      if (n <= this.#found) continue;
      this.#lanesOf(webhookId).first.push(n);
      this.#pump(webhookId);
    }
  }

  async redeliver(n: number): Promise<DeliveryRecord> {
    if (this.#state === 'closed') throw new WeirError('cancelled', 'The runtime is stopping.');
    const outgoing = this.#options.store.deliveries.outgoing(n);
    const webhookId = outgoing?.delivery.webhookId;
    const target = webhookId === undefined ? undefined : this.#targets.get(webhookId);
    if (outgoing === undefined || target === undefined) {
      throw new WeirError('not_found', `Delivery ${n}, or its webhook, is gone.`);
    }
    const attempt = await this.#track(attemptDelivery(this.#parts, outgoing, target));
    const record = attempt === undefined ? undefined : this.#settle(n, byHand(attempt), true);
    if (record === undefined) {
      throw new WeirError('cancelled', `Delivery ${n} was cut off; it may have arrived.`);
    }
    return record;
  }

  forget(webhookId: string): void {
    this.#lanes.delete(webhookId);
    this.#targets.forget(webhookId);
  }

  async close(graceMs = defaultGraceMs): Promise<void> {
    this.#state = 'closed';
    this.#retries.close();
    this.#options.signals.off('webhook', this.#onWebhook);
    const settled = Promise.allSettled(this.#inFlight);
    let cancel: (() => void) | undefined;
    const grace = new Promise<void>((resolve) => {
      cancel = systemTimer(resolve, graceMs);
    });
    await Promise.race([settled, grace]);
    cancel?.();
    await this.#sender.close();
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  get #parts() {
    return { sender: this.#sender, now: this.#options.now };
  }

  #lanesOf(webhookId: string): Lanes {
    let lanes = this.#lanes.get(webhookId);
    if (lanes === undefined) {
      lanes = { first: new Lane(this.#options.concurrency), retry: new Lane(retriesInFlight) };
      this.#lanes.set(webhookId, lanes);
    }
    return lanes;
  }

  /** Starts what may start. A webhook that is switched off keeps what waits for it. */
  #pump(webhookId: string): void {
    const lanes = this.#lanes.get(webhookId);
    if (lanes === undefined || this.#state !== 'started') return;
    try {
      const target = this.#targets.get(webhookId);
      if (target?.active === false) return;
      for (const lane of [lanes.first, lanes.retry]) {
        for (let n = lane.next; n !== undefined; n = lane.next) {
          const outgoing = this.#options.store.deliveries.outgoing(n);
          lane.start();
          void this.#track(this.#run(outgoing, target)).then(() => {
            lane.done();
            this.#pump(webhookId);
          });
        }
      }
    } catch (error) {
      // The disk did not give it: it keeps its place, and is tried again when something happens to this
      // webhook (an event, a retry, an attempt that ends, a change), or at the next start.
      this.#report(error);
      return;
    }
    if (lanes.first.idle && lanes.retry.idle) this.#lanes.delete(webhookId);
  }

  /** Never rejects. */
  async #run(outgoing: Outgoing | undefined, target: Target | undefined): Promise<void> {
    // Delivered by hand meanwhile, or deleted with its webhook.
    if (target === undefined || outgoing === undefined || !isOpen(outgoing.delivery)) return;
    try {
      const attempt = await attemptDelivery(this.#parts, outgoing, target);
      if (attempt === undefined) return;
      await new Promise<void>((resolve) => this.#endOfTurn.add(resolve));
      // The next one need not wait until this one is on disk: at worst it is sent again.
      this.#settle(outgoing.delivery.n, attempt, false)?.catch((error: unknown) =>
        this.#report(error),
      );
    } catch (error) {
      this.#report(error);
    }
  }

  /** Stores the attempt and what follows from it; undefined when the delivery is gone. */
  #settle(n: number, attempt: Attempt, manual: boolean): Promise<DeliveryRecord> | undefined {
    const { store, signals, now, random } = this.#options;
    // As it is now: another attempt may have ended while this one was under way.
    const delivery = store.deliveries.get(n);
    if (delivery === undefined) return undefined;
    const attempted = { failure: attempt.failure, answer: attempt.record.response, manual };
    const next = planNext(delivery, attempted, now(), random);
    if (!manual && next.status === 'retrying' && next.nextAt !== null) {
      this.#retries.push(next.nextAt, { n, webhookId: delivery.webhookId });
    }
    return this.#track(
      store.deliveries.record(delivery, attempt.record, next).then((record) => {
        signals.emit('delivery', n);
        return record;
      }),
    );
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

function byHand({ record, failure }: Attempt): Attempt {
  return { record: { ...record, manual: true }, failure };
}
