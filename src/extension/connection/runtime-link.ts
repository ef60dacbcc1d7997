import { WeirError, messageOf } from '../../protocol/errors.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { Signal } from '../signal.ts';
import { planRestart } from './restart-policy.ts';

export type RuntimeState = 'idle' | 'starting' | 'ready' | 'failed' | 'stopped';

/** How a link reaches the world; the tests give their own. */
export interface LinkHost {
  /** Connects to the runtime of the data folder, starting one when none runs. */
  open(): Promise<RuntimeClient>;
  /** Loads what the trees show; the state is `ready` afterwards. */
  connected(client: RuntimeClient): Promise<void>;
  now(): number;
  log(line: string): void;
}

/**
 * The one connection of this window to the runtime of one data folder: made on first need, and made
 * again by itself when the runtime dies. An end that was asked for is told from a death by whether
 * the client that closed is still the current one.
 */
export class RuntimeLink {
  readonly onState = new Signal<RuntimeState>();
  readonly #host: LinkHost;
  #state: RuntimeState = 'idle';
  #failure: string | undefined;
  #client: RuntimeClient | undefined;
  #opening: Promise<RuntimeClient> | undefined;
  #losses: number[] = [];
  #retry: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(host: LinkHost) {
    this.#host = host;
  }

  get state(): RuntimeState {
    return this.#state;
  }

  /** Why the last start failed, one sentence. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get client(): RuntimeClient | undefined {
    return this.#client;
  }

  /** The connection, made when there is none. One at a time, however many ask. */
  ready(): Promise<RuntimeClient> {
    if (this.#disposed) return Promise.reject(new Error('The window is closing.'));
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Ends the runtime for good; the next {@link ready} starts one. */
  async stop(): Promise<void> {
    clearTimeout(this.#retry);
    const client = this.#client ?? (await this.#opening);
    this.#client = undefined;
    if (client !== undefined) {
      const gone = new Promise<void>((resolve) => client.onClose(() => resolve()));
      await client.call('runtime.stop', {});
      await gone;
    }
    this.#set('stopped');
  }

  /** Lets the connection go; the runtime ends by itself when nobody else is connected. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }

  async #open(): Promise<RuntimeClient> {
    clearTimeout(this.#retry);
    this.#set('starting');
    try {
      const client = await this.#host.open();
      client.onClose(() => {
        if (client === this.#client) this.#lost();
      });
      await this.#host.connected(client);
      if (client.closed !== undefined) throw new WeirError('runtime_unavailable', client.closed);
      if (this.#disposed) client.close();
      this.#client = client;
      this.#failure = undefined;
      this.#set('ready');
      return client;
    } catch (error) {
      this.#failure = messageOf(error);
      this.#host.log(`The runtime could not be reached: ${this.#failure}`);
      this.#set('failed');
      throw error;
    }
  }

  /** The runtime died: start another, later and later, and give up when that does not help. */
  #lost(): void {
    this.#client = undefined;
    const now = this.#host.now();
    this.#losses = [...this.#losses.slice(-9), now];
    const plan = planRestart(this.#losses, now);
    if (!plan.restart) {
      this.#failure = 'The runtime ended again and again.';
      this.#set('failed');
      return;
    }
    this.#host.log(`The runtime is gone; starting it again in ${plan.delayMs} ms.`);
    this.#set('starting');
    this.#retry = setTimeout(() => {
      this.ready().catch(() => {
        if (!this.#disposed && this.#state === 'failed') this.#lost();
      });
    }, plan.delayMs);
  }

  #set(state: RuntimeState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.onState.fire(state);
  }
}
