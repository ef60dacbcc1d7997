/**
 * A runtime with a source that counts requests, a source that listens to it, a webhook and a stream; and
 * what was sent to it. Disturbances end the runtime and its processes; this starts it again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../src/protocol/errors.ts';
import type { EmittedEvent, RuntimeInfo, Source, Webhook } from '../../src/protocol/catalogue.ts';
import { allEvents } from '../support/all-events.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { postedStatus } from '../support/post.ts';
import { integerOf, seededRandom, type SeededRandom } from '../support/random.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { readStream, type SseMessage } from '../support/sse-reader.ts';
import { until } from '../support/until.ts';
import { counter, follower, visitor } from './components.ts';
import { type Counted, judge, type Seen, type Sent } from './expectations.ts';

const callers = 8;
/** A process that has nothing to do ends soon, so that chaos meets it. */
const args = ['--set', 'run.idleSeconds=1', '--set', 'retention.events=1000000'];
/** Twice cut off, a run has one attempt left. */
const mostCutOff = 2;

export class World {
  readonly folder: string;
  readonly #random: SeededRandom;
  /** Of the requests: how many there are is up to the machine, and the disturbances are those of the seed. */
  readonly #randomOfRequests: SeededRandom;
  readonly #receiver: Receiver;
  readonly #sent = new Map<number, Sent>();
  readonly #streamed: (readonly SseMessage[])[] = [];
  #runtime: TestRuntime;
  #counter!: Source;
  #follower!: Source;
  #version = 1;
  /** How often runs may have been cut off since all was settled. */
  #cutOff = 0;

  private constructor(
    random: SeededRandom,
    folder: string,
    runtime: TestRuntime,
    receiver: Receiver,
  ) {
    this.#random = random;
    this.#randomOfRequests = seededRandom(integerOf(random, 0, 2 ** 32 - 1));
    this.folder = folder;
    this.#runtime = runtime;
    this.#receiver = receiver;
  }

  static async start(random: SeededRandom): Promise<World> {
    const folder = temporaryFolder();
    const world = new World(
      random,
      folder,
      await startRuntime({ folder, args }),
      await startReceiver(),
    );
    world.#counter = await world.deploy('counter.mjs', counter(1));
    world.#follower = await world.deploy('follower.mjs', follower);
    const webhook = await world.runtime.restData<Webhook>('POST', '/v1/webhooks', {
      url: `${world.#receiver.url}/told`,
    });
    for (const listener_id of [world.#follower.id, webhook.id]) {
      await world.subscribe(listener_id);
    }
    await world.#follow();
    return world;
  }

  get runtime(): TestRuntime {
    return this.#runtime;
  }

  /** For the report. */
  get sent(): number {
    return this.#sent.size;
  }

  async deploy(name: string, code: string): Promise<Source> {
    const component_path = await sourceFile(this.folder, name, code);
    return this.#runtime.restData<Source>('POST', '/v1/sources', { component_path });
  }

  /** To what the counter emits. */
  async subscribe(listener_id: string): Promise<void> {
    const emitter_id = this.#counter.id;
    await this.#runtime.restData('POST', '/v1/subscriptions', { emitter_id, listener_id });
  }

  /**
   * Requests side by side from callers that never pause, not even while the runtime is gone. `disturb` is
   * called when some were answered; it goes on until that is over, and a little longer.
   */
  async load(disturb: () => Promise<void>): Promise<void> {
    const load = { on: true };
    let answered = 0;
    const caller = async (): Promise<void> => {
      while (load.on) if (await this.#request()) answered += 1;
    };
    const all = Array.from({ length: callers }, caller);
    const enough = integerOf(this.#random, 1, 40);
    try {
      await until('the first answers', () => answered >= enough);
      await disturb();
      await pause(integerOf(this.#random, 0, 60));
    } finally {
      load.on = false;
      await Promise.all(all);
    }
  }

  /** Another version of the counter's code. */
  async update(): Promise<void> {
    const version = this.#version + 1;
    const component_path = await sourceFile(this.folder, 'counter.mjs', counter(version));
    await this.#runtime.restData('PUT', `/v1/sources/${this.#counter.id}`, { component_path });
    this.#version = version;
  }

  /** kill -9 and a new start. */
  async kill(): Promise<void> {
    await this.#mayCutOff();
    await this.#runtime.kill();
    await this.#restart();
  }

  /** SIGTERM and a new start. */
  async stop(): Promise<void> {
    const code = await this.#runtime.stop();
    if (code !== 0) throw new Error(`It ended with ${code}:\n${this.#runtime.output()}`);
    await this.#restart();
  }

  /** kill -9 of a process that runs a component, if there is one. */
  async killHost(): Promise<void> {
    await this.#mayCutOff();
    const [host] = await this.#hosts();
    if (host === undefined) return;
    try {
      process.kill(host.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }

  /** Nothing comes in until the processes have ended because nothing came in. */
  async idle(): Promise<void> {
    await this.settle();
    await until('no process', async (seen) => seen(await this.#hosts()).length === 0);
  }

  /** A source comes, listens, and goes. */
  async visit(): Promise<void> {
    const source = await this.deploy('visitor.mjs', visitor);
    await this.subscribe(source.id);
    await postedStatus(source.endpoint_url!, { number: 0 });
    await pause(integerOf(this.#random, 0, 50));
    await this.#runtime.restData('DELETE', `/v1/sources/${source.id}`);
  }

  /** A second runtime on the same folder is refused, and the first one goes on. */
  async second(): Promise<void> {
    const why = await startRuntime({ folder: this.folder, args }).then(
      () => 'It was let in.',
      messageOf,
    );
    if (!why.includes('is in use by the runtime')) throw new Error(`A second runtime: ${why}`);
  }

  /** Until all has come of what was sent. Throws when something is lost, repeated or in the wrong place. */
  async settle(): Promise<void> {
    await until(
      'all that was acknowledged',
      async (note) => {
        const { missing, wrong } = judge([...this.#sent.values()], await this.#seen());
        if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'));
        return note(missing).length === 0;
      },
      60_000,
    );
    this.#cutOff = 0;
  }

  /** True when the caller was told 200. */
  async #request(): Promise<boolean> {
    const number = this.#sent.size + 1;
    const version = this.#version;
    this.#sent.set(number, { number, version, acknowledged: false });
    const waitMs = integerOf(this.#randomOfRequests, -20, 20);
    const status = await postedStatus(this.#counter.endpoint_url!, { number, waitMs });
    const acknowledged = status === 200;
    this.#sent.set(number, { number, version, acknowledged });
    return acknowledged;
  }

  /** A run that is cut off a third time is given up, as it should be; here none is. */
  async #mayCutOff(): Promise<void> {
    if (this.#cutOff === mostCutOff) await this.#quiet();
    this.#cutOff += 1;
  }

  /** Until nothing waits: the callers go on, so `settle` would never be over. */
  async #quiet(): Promise<void> {
    const numbers = [...this.#sent.values()]
      .filter(({ acknowledged }) => acknowledged)
      .map(({ number }) => number);
    await until('all up to now', async () => {
      const seen = await this.#seen();
      const emitted = new Set(seen.emitted.map(({ number }) => number));
      const followed = new Set(seen.followed.map(({ number }) => number));
      return numbers.every((number) => emitted.has(number) && followed.has(number));
    });
    this.#cutOff = 0;
  }

  async #restart(): Promise<void> {
    this.#runtime = await startRuntime({ folder: this.folder, args });
    await this.#follow();
  }

  /** Goes on where the stream before was cut off; with all there is where that had told nothing. */
  async #follow(): Promise<void> {
    const last = this.#streamed.flat().at(-1)?.id ?? '0-0';
    const path = `/v1/sources/${this.#counter.id}/sse`;
    this.#streamed.push(await readStream(this.#runtime, path, last));
  }

  async #hosts(): Promise<RuntimeInfo['hosts']> {
    const connection = await this.#runtime.connect();
    const { hosts } = await connection.call('runtime.info', {});
    connection.close();
    return hosts.filter(({ source_id }) => source_id !== null);
  }

  /** What was told is looked at first: the events that are read afterwards have all of it. */
  async #seen(): Promise<Seen> {
    const delivered = this.#receiver.bodies().map((body) => (JSON.parse(body) as Counted).number);
    const streamed = this.#streamed
      .flat()
      .map(({ data }) => ((data as EmittedEvent).event as Counted).number);
    const followed = await this.#payloads<Counted>(this.#follower);
    const emitted = await this.#payloads<Seen['emitted'][number]>(this.#counter);
    return { emitted, followed, delivered, streamed };
  }

  async #payloads<T>({ id }: Source): Promise<T[]> {
    return (await allEvents(this.#runtime, id)).map(({ event }) => event as T);
  }
}
