/** A real store with one source, real targets, a real dispatcher, and a clock in the test's hand. */
import { randomBytes } from 'node:crypto';
import { createDeliveries, type Deliveries } from '../../src/runtime/events/delivery/deliveries.ts';
import { Signals } from '../../src/runtime/events/signals.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { event, run, webhook } from '../support/records.ts';
import { storeWithSource } from '../support/store.ts';
import { neverHeld } from '../../src/runtime/events/work-hold.ts';

export const signingSecret = `whsec_${randomBytes(24).toString('base64')}`;

export class World {
  readonly signals = new Signals();
  readonly clock: FakeClock;
  readonly #reports: unknown[] = [];
  readonly store: Store;
  deliveries!: Deliveries;
  #events = 0;

  private constructor(store: Store, clock: FakeClock) {
    this.store = store;
    this.clock = clock;
  }

  static async create(options: Options = {}): Promise<World> {
    const clock = new FakeClock(Date.now());
    const { store } = await storeWithSource(clock.now);
    const world = new World(store, clock);
    await world.start(options);
    return world;
  }

  /** A dispatcher as a start of the runtime makes it. */
  async start({ concurrency = 1, timeoutMs = 10_000, store = this.store }: Options = {}) {
    const { fence, openDeliveries } = await this.store.ownership.take('dc_1');
    const { signals, clock } = this;
    this.deliveries = createDeliveries({
      store,
      fenceOf: () => fence,
      signals,
      hold: neverHeld,
      random: () => 0.5,
      openSecret: (sealed) => sealed,
      concurrency,
      timeoutMs,
      clock,
      report: (_where, error) => this.#reports.push(error),
    });
    this.deliveries.take(openDeliveries);
    this.deliveries.start();
  }

  /** The clock runs on; what is due meanwhile is called at its time. */
  pass(ms: number): void {
    this.clock.pass(ms);
  }

  async target(webhookId: string): Promise<Receiver> {
    const target = await startReceiver({ answer: () => ({ body: 'ok' }) });
    await this.store.webhooks.insert(
      webhook(webhookId, { url: `${target.url}/hook`, signingSecret }),
    );
    return target;
  }

  /** Emits and hands over what the commit made, as the runtime does. Returns the deliveries' numbers. */
  async emit(webhooks: readonly string[], ...payloads: string[]): Promise<number[]> {
    const now = this.clock.now();
    const made = await run(this.store, {
      events: payloads.map((payload) => event(`${now}-${this.#events++}`, { payload, webhooks })),
      endedAt: now,
    });
    this.deliveries.enqueue(made.deliveries);
    return made.deliveries.map(({ delivery }) => delivery.n);
  }

  /** Numbers of what is neither delivered nor given up. */
  async open(): Promise<number[]> {
    const { openDeliveries } = await this.store.ownership.take('dc_1');
    return openDeliveries.map(({ n }) => n);
  }

  async status(n: number): Promise<string> {
    return (await this.state(n)).status;
  }

  /** Status and attempts of a delivery, and ms until the next one. */
  async state(n: number) {
    const { status, attempts, nextAt } = (await this.store.deliveries.get(n))!;
    return { status, attempts, in: nextAt === null ? null : nextAt - this.clock.now() };
  }

  /** What was reported so far; a test that closes without having asked fails on it. */
  takeReports(): unknown[] {
    return this.#reports.splice(0);
  }

  async close(): Promise<void> {
    await this.deliveries.close(100);
    if (this.#reports.length > 0)
      throw new AggregateError(this.#reports, 'Something was reported.');
  }
}

interface Options {
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  /** Another view of the store, as one that fails to read. */
  readonly store?: Pick<Store, 'deliveries' | 'webhooks'>;
}
