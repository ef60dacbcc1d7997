/** A real store with one source, real targets, a real dispatcher, and a clock in the test's hand. */
import { randomBytes } from 'node:crypto';
import { createDeliveries, type Deliveries } from '../../src/runtime/delivery/deliveries.ts';
import { Signals } from '../../src/runtime/signals.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { event, run, webhook } from '../support/records.ts';
import { storeWithSource } from '../support/store.ts';

export const emitterId = 'dc_source';
export const signingSecret = `whsec_${randomBytes(24).toString('base64')}`;

export interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Target {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** Bodies in order of arrival. */
  readonly bodies: () => string[];
  /** Requests that have arrived and are not answered. */
  readonly open: () => number;
  /** Set to answer otherwise than 200 at once. */
  answer: (arrival: Arrival, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** @param port of a target that was there before; any free one when left out. */
export async function startTarget(port = 0): Promise<Target> {
  const arrivals: Arrival[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open++;
    response.once('close', () => open--);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const arrival = { path, headers, body: Buffer.concat(chunks).toString() };
      arrivals.push(arrival);
      target.answer(arrival, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const target: Target = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    bodies: () => arrivals.map((arrival) => arrival.body),
    open: () => open,
    answer: (_arrival, response) => void response.end('ok'),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return target;
}

export const openTestStore = (file: string, now: () => number): Promise<Store> =>
  openStore({
    file,
    sqlJs: {
      js: join(process.cwd(), 'node_modules/sql.js/dist/sql-wasm-debug.js'),
      wasm: join(process.cwd(), 'node_modules/sql.js/dist/sql-wasm-debug.wasm'),
    },
    now,
  });

export async function addSource(store: Store): Promise<void> {
  const definition = {
    name: 'Source',
    key: null,
    type: 'source' as const,
    version: null,
    description: null,
    dedupe: null,
    props: [],
    hooks: [],
    hasRun: true,
    hasAdditionalProps: false,
  };
  await store.components.insert({ id: 'sc_1', hash: 'h', path: null, definition, createdAt: 1 });
  await store.sources.insert({
    id: emitterId,
    componentId: 'sc_1',
    name: 'Source',
    slug: 'source',
    deploying: false,
    active: true,
    configuredProps: {},
    definition,
    interfaces: [],
    createdAt: 1,
    updatedAt: 1,
  });
}

export async function addWebhook(store: Store, id: string, url: string): Promise<void> {
  const secret = { signingSecret, name: null, description: null, active: true };
  await store.webhooks.insert({ id, url, ...secret, createdAt: 1, updatedAt: 1 });
}

let sequence = 0;

/** One invocation that emitted these payloads to these webhooks; resolves when it is on disk. */
export async function emit(store: Store, webhooks: readonly string[], payloads: readonly string[]) {
  const at = Date.now();
  const { n } = store.accept({
    emitterId,
    cause: 'manual',
    trigger: { kind: 'event', json: '{}' },
    at,
  });
  return store.commit({
    n,
    emitterId,
    status: 'succeeded',
    startedAt: at,
    endedAt: at,
    events: payloads.map((payload) => ({
      id: `${at}-${sequence++}`,
      indexedAt: at,
      emitId: `emit${sequence}`,
      channel: '',
      payload,
      webhooks,
      sources: [],
    })),
    drops: [],
    db: [],
    logs: [],
  });
}

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
    world.start(options);
    return world;
  }

  /** A dispatcher as a start of the runtime makes it. */
  start({ concurrency = 1, timeoutMs = 10_000, store = this.store }: Options = {}): void {
    const { signals, clock } = this;
    this.deliveries = createDeliveries({
      store,
      signals,
      now: clock.now,
      random: () => 0.5,
      openSecret: (sealed) => sealed,
      concurrency,
      timeoutMs,
      setTimer: clock.setTimer,
      report: (_where, error) => this.#reports.push(error),
    });
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
    return made.deliveries.map(({ n }) => n);
  }

  /** Status and attempts of a delivery, and ms until the next one. */
  state(n: number) {
    const { status, attempts, nextAt } = this.store.deliveries.get(n)!;
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
