/** A real store with one source, real targets, a real dispatcher, and a clock in the test's hand. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeliveries, type Deliveries } from '../../src/runtime/delivery/deliveries.ts';
import type { SetTimer } from '../../src/runtime/set-timer.ts';
import { Signals } from '../../src/runtime/signals.ts';
import { openStore } from '../../src/runtime/store/sqlite/open-store.ts';
import type { Store } from '../../src/runtime/store/store.ts';

export const sourceId = 'dc_source';
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
    id: sourceId,
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
    sourceId,
    cause: 'manual',
    trigger: { kind: 'event', json: '{}' },
    at,
  });
  return store.commit({
    n,
    sourceId,
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
  readonly #reports: unknown[] = [];
  readonly #targets: Target[] = [];
  readonly #timers = new Set<{ at: number; callback: () => void }>();
  #folder = '';
  #now = Date.now();
  store!: Store;
  deliveries!: Deliveries;

  static async create(options: Options = {}): Promise<World> {
    const world = new World();
    world.#folder = await mkdtemp(join(tmpdir(), 'weir-delivery-'));
    world.store = await openTestStore(join(world.#folder, 'weir.db'), world.now);
    await addSource(world.store);
    world.start(options);
    return world;
  }

  readonly now = (): number => this.#now;

  /** A dispatcher as a start of the runtime makes it. */
  start({ concurrency = 1, timeoutMs = 10_000, store = this.store }: Options = {}): void {
    const { signals, now } = this;
    this.deliveries = createDeliveries({
      store,
      signals,
      now,
      random: () => 0.5,
      openSecret: (sealed) => sealed,
      concurrency,
      timeoutMs,
      setTimer: this.#setTimer,
      report: (_where, error) => this.#reports.push(error),
    });
    this.deliveries.start();
  }

  readonly #setTimer: SetTimer = (callback, ms) => {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** The clock runs on; what is due meanwhile is called at its time. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ at }) => at <= end)
        .toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  async target(webhookId: string): Promise<Target> {
    const target = await startTarget();
    this.#targets.push(target);
    await addWebhook(this.store, webhookId, target.url);
    return target;
  }

  /** Emits and hands over what the commit made, as the runtime does. Returns the deliveries' numbers. */
  async emit(webhooks: readonly string[], ...payloads: string[]): Promise<number[]> {
    const made = await emit(this.store, webhooks, payloads);
    this.deliveries.enqueue(made.deliveries);
    return made.deliveries.map(({ n }) => n);
  }

  /** Status and attempts of a delivery, and ms until the next one. */
  state(n: number) {
    const { status, attempts, nextAt } = this.store.deliveries.get(n)!;
    return { status, attempts, in: nextAt === null ? null : nextAt - this.#now };
  }

  /** What was reported so far; a test that closes without having asked fails on it. */
  takeReports(): unknown[] {
    return this.#reports.splice(0);
  }

  async close(): Promise<void> {
    await this.deliveries.close(100);
    await this.store.close();
    for (const target of this.#targets) await target.close();
    await rm(this.#folder, { recursive: true, force: true });
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
