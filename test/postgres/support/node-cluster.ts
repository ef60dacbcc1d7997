/** Real nodes on one PostgreSQL, each behind a network of its own, that are told numbers while they are killed, stopped and cut off. */
import { join } from 'node:path';
import { deployWorkflow, endpointOf, http } from '../../runtime/support/workflows.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../../support/folder.ts';
import type { ReplicatedPostgres, TestPostgres } from '../../support/postgres.ts';
import { allowErrors } from '../../support/runtime-log.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { deploy, endpointPath, startNode, type TestNode } from './node.ts';
import { type Counted, History, type KeptEmitter, type KeptSource } from './history.ts';

const leaseSeconds = 2;
const leaseMs = leaseSeconds * 1000;
const nodeCount = 3;
const sourceCount = 6;
const workflowCount = 3;
const clientCount = 4;
/** A caller that has no answer for so long was told nothing. */
const answerMs = 4000;
/** Many times what a node needs to end. */
const stopMs = 30_000;

/** Each run counts in its db, and emits the count with the number that it was told. */
const counter = `export default {
  name: 'Counter',
  props: { http: '$.interface.http', db: '$.service.db' },
  async run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.$emit({ count, n: event.body.n, fence: 0 }, { id: String(event.body.n), summary: 'x' });
  },
};`;

/** Emits the number that it was told, for a third of them after a pause. */
const pausing = {
  note: 'return steps.trigger.event.body.n;',
  wait: 'if (steps.trigger.event.body.n % 3 === 0) $.flow.delay(500);',
  tell: '$.send.emit({ raw_event: { n: steps.note.$return_value } });',
};

/** A fault of a node, or of PostgreSQL. */
export type NodeFault =
  | 'kill' // -9, and started again
  | 'release' // SIGTERM, and started again
  | 'stop' // SIGSTOP for longer than the lease
  | 'doze' // SIGSTOP for less
  | 'cut' // connections to PostgreSQL, for a moment
  | 'hole' // nothing arrives there, for longer than the lease
  | 'replaced' // nothing arrives there, until another one leads
  | 'postgres' // killed, and started again
  | 'failOver'; // killed, and its standby takes its place

interface Place {
  readonly folder: string;
  /** Where other nodes reach it. */
  readonly host: string;
  readonly proxy: TcpProxy;
  /** Of its database, behind the proxy. */
  readonly url: string;
  readonly preload: string | undefined;
  /** See `NodeOptions`. */
  dist: string | undefined;
  node: TestNode | undefined;
}

/** Who is told numbers, and where. */
interface Told {
  readonly id: string;
  readonly path: string;
}

/** Only one with a standby can fail over. */
type ClusterPostgres = TestPostgres & Partial<Pick<ReplicatedPostgres, 'failOver'>>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class NodeCluster {
  readonly #postgres: ClusterPostgres;
  readonly #url: string;
  readonly #random: () => number;
  readonly #history = new History();
  readonly #places: Place[] = [];
  readonly #story: string[] = [];
  readonly #sources: Told[] = [];
  readonly #workflows: Told[] = [];
  #told = 0;
  #isOver = false;
  acknowledged = 0;

  private constructor(postgres: ClusterPostgres, url: string, random: () => number) {
    this.#postgres = postgres;
    this.#url = url;
    this.#random = random;
  }

  /**
   * Each node has another clock: ten minutes late, right, ten minutes early.
   * @param instead see `tcpProxy`
   * @param dist see `NodeOptions`
   */
  static async start(
    postgres: ClusterPostgres,
    random: () => number,
    instead: readonly (readonly [string, string])[] = [],
    dist?: string,
  ): Promise<NodeCluster> {
    const cluster = new NodeCluster(postgres, await postgres.newDatabase(), random);
    const { pathname } = new URL(cluster.#url);
    const clocks = temporaryFolder();
    for (let i = 0; i < nodeCount; i++) {
      const proxy = await tcpProxy(() => postgres.port, atEndOfTest, instead);
      const offset = (i - 1) * 600_000;
      const place: Place = {
        folder: temporaryFolder(),
        host: `127.0.0.${i + 1}`,
        proxy,
        url: `postgres://weir@127.0.0.1:${proxy.port}${pathname}`,
        preload: await sourceFile(
          clocks,
          `clock-${i}.cjs`,
          `const now = Date.now; Date.now = () => now() + (${offset});`,
        ),
        dist,
        node: undefined,
      };
      cluster.#places.push(place);
      await cluster.#startAt(place);
      allowErrors(
        join(place.folder, 'data'),
        /Another runtime has taken over/,
        /could not be read or written/,
        /does not answer/,
        /takes no writes any more/,
      );
    }
    const [first] = cluster.#places;
    if (first?.node === undefined) throw new Error('A cluster has nodes.');
    for (let i = 1; i <= sourceCount; i++) {
      const source = await deploy(first.node, counter, `Counter ${i}`);
      cluster.#sources.push({ id: source.id, path: endpointPath(source) });
    }
    for (let i = 1; i <= workflowCount; i++) {
      const workflow = await deployWorkflow(first.node, {
        name: `Pausing ${i}`,
        triggers: http,
        steps: pausing,
      });
      cluster.#workflows.push({
        id: workflow.id,
        path: new URL(endpointOf(workflow)).pathname,
      });
    }
    await cluster.isSharedOut();
    return cluster;
  }

  /** Resolves when every node has sources. */
  async isSharedOut(): Promise<void> {
    await until('something at every node', async (seen) => {
      const rows = await this.#postgres.query(
        'SELECT DISTINCT n.id FROM emitters e JOIN nodes n ON n.id = e.node WHERE fenced_at IS NULL',
        this.#url,
      );
      return seen(rows).length === nodeCount;
    });
  }

  /** Stops a node and starts another build in its place. */
  async upgrade(at: number, dist: string | undefined): Promise<void> {
    const place = this.#places[at];
    if (place?.node === undefined) throw new Error(`There is no node ${at}.`);
    const begun = Math.round(performance.now());
    const code = await Promise.race([place.node.stop(), pause(stopMs)]);
    if (code !== 0) throw new Error(`Node ${at} did not stop: ${place.node.output()}`);
    place.dist = dist;
    await this.#startAt(place);
    this.#story.push(`${begun}: upgrade of node ${at}`);
  }

  /** What was done, for a failing test's message. */
  story(): string {
    return this.#story.join('\n');
  }

  /**
   * Disturbs it with these faults in turn, once and then again for so long, and lets it come to an end. The first fault of a
   * turn is one of the node that leads.
   * @param endMs so long the end is waited for; what has none then is a violation
   */
  async run(ms: number, faults: readonly NodeFault[], endMs = 30_000): Promise<void> {
    const end = performance.now() + ms;
    await this.whileTold(async () => {
      for (let i = 0; i < faults.length || performance.now() < end; i++) {
        await pause(300 + this.#random() * 700);
        const at = i % faults.length;
        const fault = faults[at];
        if (fault !== undefined) await this.#disturb(fault, at === 0);
      }
    }, endMs);
  }

  /** The same with what `work` does to it. @param endMs how long nothing may end before the rest counts as lost */
  async whileTold(work: () => Promise<void>, endMs = 30_000): Promise<void> {
    const clients = Array.from({ length: clientCount }, () => this.#tell());
    await work();
    const told = this.acknowledged;
    await until('nodes to answer again', () => this.acknowledged >= told + 25 * clientCount);
    this.#isOver = true;
    await Promise.all(clients);
    let open = await this.#open();
    let last = performance.now() + endMs;
    while (open > 0 && performance.now() < last) {
      await pause(100);
      const now = await this.#open();
      // A slow machine is late and goes on; what is lost does not.
      if (now < open) last = performance.now() + endMs;
      open = now;
    }
  }

  /** How many runs and executions were taken in and have not ended. */
  async #open(): Promise<number> {
    const kept = [...(await this.#keptSources()), ...(await this.#keptWorkflows())];
    return kept
      .map(({ accepted, ended, asleep }) => accepted.length - ended.length - (asleep?.length ?? 0))
      .reduce((sum, count) => sum + count, 0);
  }

  async violations(): Promise<string[]> {
    return this.#history.violations(await this.#keptSources(), await this.#keptWorkflows());
  }

  /** What was left for others was taken up. */
  async left(): Promise<unknown[]> {
    return this.#postgres.query('SELECT * FROM left_for_owner', this.#url);
  }

  /** How often a source has come to another node, of the one that did so most often. */
  async takeOvers(): Promise<number> {
    const [row] = await this.#postgres.query('SELECT max(epoch) AS epoch FROM emitters', this.#url);
    return Number(row?.['epoch']) - 1;
  }

  async #startAt(place: Place): Promise<void> {
    const { url, folder, host, preload, dist } = place;
    // All of it is counted, and a quick machine is told more than the default keeps.
    const kept = ['--set', 'retention.events=1000000', '--set', 'retention.megabytes=4096'];
    const args = ['--lease', String(leaseSeconds), '--node-address', `${host}:0`, ...kept];
    place.node = await startNode({ url, folder, preload, dist, args });
  }

  /** Half of the others are of the node that leads, too. */
  async #disturb(fault: NodeFault, isOfActive: boolean): Promise<void> {
    const any = Math.floor(this.#random() * this.#places.length);
    const isAny = !isOfActive && this.#random() < 0.5;
    const at = isAny ? any : ((await this.active()) ?? any);
    const place = this.#places[at];
    const node = place?.node;
    if (place === undefined || node === undefined) return;
    const begun = Math.round(performance.now());
    const long = leaseMs * (1.2 + this.#random());
    if (fault === 'kill') {
      await node.kill();
      await this.#startAt(place);
    } else if (fault === 'release') {
      await node.stop();
      await this.#startAt(place);
    } else if (fault === 'stop' || fault === 'doze') {
      process.kill(node.pid, 'SIGSTOP');
      await pause(fault === 'stop' ? long : leaseMs / 4);
      process.kill(node.pid, 'SIGCONT');
    } else if (fault === 'postgres') {
      await this.#postgres.kill();
      await pause(this.#random() * leaseMs);
      await this.#postgres.start();
    } else if (fault === 'failOver') {
      if (this.#postgres.failOver === undefined) throw new Error('There is no standby.');
      await this.#postgres.failOver();
    } else {
      if (fault === 'cut') place.proxy.cut();
      else place.proxy.hold('up', 'down');
      if (fault === 'replaced') await this.#replaced(at);
      else await pause(fault === 'cut' ? 100 : long);
      place.proxy.mend();
    }
    const took = Math.round(performance.now()) - begun;
    this.#story.push(`${begun}: ${fault} at node ${at} for ${took} ms`);
  }

  async #replaced(at: number): Promise<void> {
    await until('another node to take over', async (seen) => {
      const active = seen(await this.active());
      return active !== undefined && active !== at;
    });
  }

  /** Which node leads, if it is one that was started last. */
  async active(): Promise<number | undefined> {
    const rows = await this.#postgres
      .query('SELECT address FROM nodes JOIN cluster ON active = id', this.#url)
      .catch(() => []);
    const at = this.#places.findIndex(({ host }) =>
      String(rows[0]?.['address']).startsWith(`${host}:`),
    );
    return at === -1 ? undefined : at;
  }

  /** One number after another to any of them at any node. */
  async #tell(): Promise<void> {
    while (!this.#isOver) {
      const { node } = this.#places[Math.floor(this.#random() * nodeCount)] ?? {};
      const all = [...this.#sources, ...this.#workflows];
      const told = all[Math.floor(this.#random() * all.length)];
      if (node === undefined || told === undefined) continue;
      const n = ++this.#told;
      const answer = await fetch(new URL(told.path, node.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ n }),
        signal: AbortSignal.timeout(answerMs),
      }).catch(() => undefined);
      await answer?.text().catch(() => undefined);
      if (answer?.ok === true) {
        this.acknowledged += 1;
        this.#history.accepted(told.id, n);
      } else await pause(50);
    }
  }

  #keptSources(): Promise<KeptSource[]> {
    return Promise.all(
      this.#sources.map(async ({ id }) => {
        const [db] = await this.#postgres.query(
          `SELECT json FROM db WHERE emitter = ${rowOf(id)}`,
          this.#url,
        );
        const kept = await this.#keptOf(id);
        return { ...kept, count: Number(db?.['json'] ?? 0) };
      }),
    );
  }

  #keptWorkflows(): Promise<KeptEmitter[]> {
    return Promise.all(this.#workflows.map(({ id }) => this.#keptOf(id)));
  }

  /** By the numbers that were told, and not by those of the invocations, which no caller knows. */
  async #keptOf(id: string) {
    const numbersOf = async (join: string): Promise<number[]> => {
      const rows = await this.#postgres.query(
        `SELECT convert_from(a.body, 'UTF8')::json ->> 'n' AS told FROM accepted a ${join}
         WHERE a.emitter = ${rowOf(id)}`,
        this.#url,
      );
      return rows.map(({ told }) => Number(told));
    };
    const ends = await this.#postgres.query(
      `SELECT convert_from(a.body, 'UTF8')::json ->> 'n' AS told, e.status, e.error FROM accepted a
       JOIN ends e ON e.emitter = a.emitter AND e.n = a.n WHERE a.emitter = ${rowOf(id)}`,
      this.#url,
    );
    const events = await this.#postgres.query(
      `SELECT payload FROM events WHERE kind = 0 AND emitter = ${rowOf(id)} ORDER BY ms, seq`,
      this.#url,
    );
    return {
      id,
      accepted: await numbersOf(''),
      ended: ends.map(({ told }) => Number(told)),
      outcomes: new Map(
        ends.map(({ told, status, error }) => [Number(told), `${String(status)} ${String(error)}`]),
      ),
      asleep: await numbersOf(
        `JOIN executions e ON e.n = a.n AND e.wake_at > extract(epoch FROM now()) * 1000`,
      ),
      events: events.map(({ payload }) => JSON.parse(String(payload)) as Counted),
    };
  }
}

const rowOf = (id: string): string => `(SELECT row FROM emitters WHERE id = '${id}')`;
