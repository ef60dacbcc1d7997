/** Stores that share a PostgreSQL, each behind a network of its own, with sources that whoever owns them runs. */
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/base/clock.ts';
import { openPostgresStore } from '../../../src/runtime/store/postgres/open-store.ts';
import type { TakenEmitter } from '../../../src/runtime/store/ownership.ts';
import type { Store } from '../../../src/runtime/store/store.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { event, source } from '../../support/records.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';
import { type Counted, History, type KeptSource } from './history.ts';

const leaseMs = 1000;
const nodeCount = 3;
const sourceIds = ['dc_1', 'dc_2', 'dc_3', 'dc_4'] as const;

/** The checks of the fence, and conditions as long that always hold: the SQL is changed on its way to the server. */
export const withoutFence = [
  ['session = $2 AND fenced_at IS NULL FOR SHARE', 'session = $2 AND id IS NOT NULL    FOR SHARE'],
  ['WHERE id = $1 AND fenced_at IS NULL', 'WHERE id = $1 AND id IS NOT NULL   '],
] as const;

type Fault = 'cut' | 'hold' | 'holdUp' | 'holdDown' | 'holdLong' | 'delay' | 'kill';

interface Node {
  readonly proxy: TcpProxy;
  store: Store | undefined;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class StoreCluster {
  readonly #postgres: TestPostgres;
  readonly #url: string;
  readonly #random: () => number;
  readonly #history = new History();
  readonly #nodes: Node[] = [];
  readonly #story: string[] = [];
  /** The nodes that run a source now. */
  readonly #busy = new Map<string, Node>();
  #isOver = false;
  takeovers = 0;

  private constructor(postgres: TestPostgres, url: string, random: () => number) {
    this.#postgres = postgres;
    this.#url = url;
    this.#random = random;
  }

  /** @param instead see `tcpProxy` */
  static async start(
    postgres: TestPostgres,
    random: () => number,
    instead: readonly (readonly [string, string])[],
  ): Promise<StoreCluster> {
    const cluster = new StoreCluster(postgres, await postgres.newDatabase(), random);
    for (let i = 0; i < nodeCount; i++) {
      cluster.#nodes.push({
        proxy: await tcpProxy(() => postgres.port, atEndOfTest, instead),
        store: undefined,
      });
    }
    const [first] = cluster.#nodes;
    if (first === undefined) throw new Error('A cluster has nodes.');
    const store = await cluster.#open(first);
    for (const id of sourceIds) await store.sources.insert(source(id));
    // Whoever joins later knows them.
    await store.close();
    first.store = undefined;
    onTestFinished(async () => {
      for (const node of cluster.#nodes) {
        node.proxy.cut();
        void node.store?.close().catch(() => undefined);
      }
    });
    return cluster;
  }

  get committed(): number {
    return this.#history.size;
  }

  /** What was done, for a failing test's message. */
  story(): string {
    return this.#story.join('\n');
  }

  /** Disturbs it for so long, with each of the faults in turn and in any order, and then lets it come to an end. */
  async run(ms: number, faults: readonly Fault[]): Promise<void> {
    const end = performance.now() + ms;
    const drivers = sourceIds.map((id) => this.#drive(id));
    let turn: Fault[] = [];
    while (performance.now() < end) {
      if (turn.length === 0) turn = [...faults];
      const [fault] = turn.splice(Math.floor(this.#random() * turn.length), 1);
      if (fault !== undefined) await this.#disturb(fault);
      await pause(this.#random() * leaseMs);
    }
    for (const { proxy } of this.#nodes) proxy.mend();
    this.#isOver = true;
    await Promise.all(drivers);
    for (const node of this.#nodes) await node.store?.close().catch(() => undefined);
    await this.#finish();
  }

  async violations(): Promise<string[]> {
    return this.#history.violations(await this.#kept());
  }

  async #disturb(fault: Fault): Promise<void> {
    // One that owns nothing can be cut off for as long as you like, and nothing is taken from it.
    const owners = fault === 'holdLong' ? [...new Set(this.#busy.values())] : [];
    const candidates = owners.length > 0 ? owners : this.#nodes;
    const node = candidates[Math.floor(this.#random() * candidates.length)];
    if (node === undefined) return;
    const { proxy } = node;
    const at = this.#nodes.indexOf(node);
    const long = (0.2 + 2 * this.#random()) * leaseMs;
    this.#story.push(`${fault} of node ${at} for ${Math.round(long)} ms`);
    if (fault === 'kill') {
      await this.#postgres.kill();
      await pause(long / 2);
      return this.#postgres.start();
    }
    if (fault === 'cut') proxy.cut();
    if (fault === 'hold') proxy.hold('up', 'down');
    if (fault === 'holdUp') proxy.hold('up');
    if (fault === 'holdDown') proxy.hold('down');
    if (fault === 'holdLong') proxy.hold('up', 'down');
    if (fault === 'delay') proxy.delay(50);
    await pause(fault === 'holdLong' ? 4 * leaseMs : long);
    proxy.mend();
  }

  /** Runs a source on whichever node gets it, on another when that one fails. */
  async #drive(id: string): Promise<void> {
    let node = Math.floor(this.#random() * nodeCount);
    while (!this.#isOver) {
      node = (node + 1) % nodeCount;
      await this.#runOn(this.#nodes[node], id).catch(() => undefined);
      await pause(10);
    }
  }

  async #runOn(node: Node | undefined, id: string): Promise<void> {
    if (node === undefined) return;
    if (node.store?.failure !== undefined) {
      const lost = node.store;
      node.store = undefined;
      void lost.close().catch(() => undefined);
    }
    const store = node.store ?? (await inTime(this.#open(node)));
    const taken = await inTime(store.ownership.take(id));
    if (!taken.released) this.takeovers += 1;
    this.#busy.set(id, node);
    const owner = new Owner(store, taken, this.#history);
    await owner.finish();
    // Until it fails, or is over. Another one looks after it when this takes too long.
    while (!this.#isOver) await inTime(owner.acceptAndRun());
  }

  async #open(node: Node): Promise<Store> {
    const { pathname } = new URL(this.#url);
    const store = await openPostgresStore({
      url: `postgres://weir@127.0.0.1:${node.proxy.port}${pathname}`,
      clock: systemClock,
      version: 'test',
      leaseMs,
    });
    node.store ??= store;
    if (node.store !== store) void store.close().catch(() => undefined);
    return node.store;
  }

  /** What no owner has finished, a last one does. */
  async #finish(): Promise<void> {
    const store = await openPostgresStore({
      url: this.#url,
      clock: systemClock,
      version: 'test',
      leaseMs,
    });
    for (const id of sourceIds) {
      await new Owner(store, await store.ownership.take(id), this.#history).finish();
    }
    await store.close();
  }

  async #kept(): Promise<KeptSource[]> {
    const numbers = async (table: string, row: unknown): Promise<number[]> =>
      (await this.#query(`SELECT n FROM ${table} WHERE emitter = ${String(row)}`)).map(({ n }) =>
        Number(n),
      );
    const kept: KeptSource[] = [];
    for (const { row, id } of await this.#query('SELECT row, id FROM emitters')) {
      const events = await this.#query(
        `SELECT payload FROM events WHERE emitter = ${String(row)} ORDER BY ms, seq`,
      );
      const db = await this.#query(`SELECT json FROM db WHERE emitter = ${String(row)}`);
      kept.push({
        id: String(id),
        accepted: await numbers('accepted', row),
        ended: await numbers('ends', row),
        events: events.map(({ payload }) => JSON.parse(String(payload)) as Counted),
        count: Number(db[0]?.['json'] ?? 0),
      });
    }
    return kept;
  }

  #query(sql: string): Promise<Record<string, unknown>[]> {
    return this.#postgres.query(sql, this.#url);
  }
}

/** Runs one source as long as it is the owner: each run counts in the db, and emits the count. */
class Owner {
  readonly #store: Store;
  readonly #taken: TakenEmitter;
  readonly #history: History;
  #count: number;
  #ms: number;

  constructor(store: Store, taken: TakenEmitter, history: History) {
    this.#store = store;
    this.#taken = taken;
    this.#history = history;
    this.#count = Number(taken.db['db']?.['count'] ?? 0);
    this.#ms = taken.newestEvent?.ms ?? 0;
  }

  /** What an earlier owner had accepted and not ended. */
  async finish(): Promise<void> {
    for (const { record } of this.#taken.unfinished) await this.#run(record.n);
  }

  async acceptAndRun(): Promise<void> {
    const { id, fence } = this.#taken;
    const { n, durable } = this.#store.accept({ emitterId: id, fence, cause: 'manual', at: 1 });
    const told = durable.then(() => this.#history.accepted(id, n));
    await Promise.all([told, this.#run(n)]);
  }

  async #run(n: number): Promise<void> {
    const { id, fence } = this.#taken;
    const count = ++this.#count;
    // As the runtime makes ids: of two owners at a time none hides the other's by having the same.
    this.#ms = Math.max(this.#ms + 1, Date.now());
    await this.#store.commit({
      n,
      emitterId: id,
      fence,
      status: 'succeeded',
      startedAt: 1,
      endedAt: 2,
      events: [event(`${this.#ms}-0`, { payload: JSON.stringify({ count, n, fence }) })],
      drops: [],
      db: [{ prop: 'db', key: 'count', json: String(count) }],
      logs: [],
    });
    this.#history.committed(id, n);
  }
}

/** Who does not answer for three leases is left alone: another node tries. */
function inTime<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), 3 * leaseMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
