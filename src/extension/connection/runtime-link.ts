import { WeirError, messageOf } from '../../protocol/errors.ts';
import type { Cancel, Clock } from '../clock.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { Signal } from '../signal.ts';

export type RuntimeState = 'idle' | 'starting' | 'ready' | 'failed' | 'stopped';

export interface RuntimeLinkOptions {
  /** Why nothing may be started or connected to now; undefined when it may. Asked each time. */
  readonly refused?: () => WeirError | undefined;
  /** Connects to the runtime that is chosen, starting that of the data folder when none runs. */
  readonly open: () => Promise<RuntimeClient>;
  /** Whether that is one on another machine: it is not stopped, and not given up. Asked each time. */
  readonly isRemote?: () => boolean;
  /** Loads what the trees show; the state is `ready` once it resolves. */
  readonly connected: (client: RuntimeClient) => Promise<void>;
  readonly log: (line: string) => void;
  readonly clock: Clock;
}

/**
 * The one connection of this window to the runtime of one folder: made on first need, and made
 * again by itself when the runtime dies. A runtime that was asked to stop has not died: its client
 * is no longer the current one when it closes.
 */
export class RuntimeLink {
  readonly onState = new Signal<RuntimeState>();
  readonly #options: RuntimeLinkOptions;
  #state: RuntimeState = 'idle';
  #failure: string | undefined;
  #client: RuntimeClient | undefined;
  #opening: Promise<RuntimeClient> | undefined;
  /** When the runtime was lost or could not be reached, epoch ms, oldest first. */
  #losses: number[] = [];
  /** Whether it was lost and is connected again without anybody asking. */
  #isOutage = false;
  #cancelRestart: Cancel | undefined;
  #disposed = false;
  /** Number of the intended runtime; attempts for another one are ignored. */
  #meant = 0;

  constructor(options: RuntimeLinkOptions) {
    this.#options = options;
  }

  get state(): RuntimeState {
    return this.#state;
  }

  /** Why there is no connection, one sentence: the last attempt failed, or the connection ended. Undefined with one. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get client(): RuntimeClient | undefined {
    return this.#client;
  }

  /** The connection, made if there is none. Callers at the same time share one attempt. */
  ready(): Promise<RuntimeClient> {
    return this.#attempt(false);
  }

  /** @param isDue whether it is an attempt of an outage's own, so that a failure lengthens the next wait */
  #attempt(isDue: boolean): Promise<RuntimeClient> {
    if (this.#disposed) return Promise.reject(closing());
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    // A refusal is not a failure of a runtime: the shown state does not change.
    const refused = this.#options.refused?.();
    if (refused !== undefined) return Promise.reject(refused);
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#open(isDue).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return opening;
  }

  /** Releases the runtime, which keeps running: the next {@link ready} may be about another one. */
  disconnect(): void {
    this.#endOutage();
    this.#meant++;
    const client = this.#client;
    this.#client = undefined;
    this.#opening = undefined;
    client?.close();
    this.#set('stopped');
  }

  /**
   * Stops the runtime until the next {@link ready} starts one; resolves once it is gone. From one on another machine it
   * only disconnects.
   */
  async stop(): Promise<void> {
    if (this.#options.isRemote?.() === true) return this.disconnect();
    this.#endOutage();
    // A connection that failed to start has nothing to stop.
    const client = this.#client ?? (await this.#opening?.catch(() => undefined));
    this.#client = undefined;
    if (client !== undefined) {
      const gone = new Promise<void>((resolve) => client.onClose(() => resolve()));
      await client.call('runtime.stop', {});
      await gone;
    }
    this.#set('stopped');
  }

  /** Closes the connection; the runtime ends by itself when nobody else is connected. */
  dispose(): void {
    this.#disposed = true;
    this.#endOutage();
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }

  async #open(isDue: boolean): Promise<RuntimeClient> {
    this.#cancelRestart?.();
    this.#set('starting');
    const meant = this.#meant;
    const over = (): WeirError | undefined =>
      this.#disposed ? closing() : meant === this.#meant ? undefined : left();
    let opened: RuntimeClient | undefined;
    try {
      const client = await this.#options.open();
      opened = client;
      throwIf(over());
      client.onClose((reason) => {
        if (client === this.#client) this.#lost(reason);
      });
      await this.#options.connected(client);
      if (client.closed !== undefined) throw new WeirError('runtime_unavailable', client.closed);
      throwIf(over());
      this.#client = client;
      this.#failure = undefined;
      this.#isOutage = false;
      if (this.#isRemote) this.#losses = [];
      this.#set('ready');
      return client;
    } catch (error) {
      // A connection that nobody uses would keep an attended runtime alive.
      opened?.close();
      throwIf(over());
      this.#failure = messageOf(error);
      this.#options.log(`Could not connect to the runtime: ${this.#failure}`);
      if (this.#mayComeBack(error)) this.#retryLater(isDue);
      else {
        this.#isOutage = false;
        this.#set('failed');
      }
      throw error;
    }
  }

  get #isRemote(): boolean {
    return this.#options.isRemote?.() === true;
  }

  /**
   * Whether another attempt may succeed. A runtime on another machine comes back some day, unless it refuses the key; one of this machine
   * that has never started fails again.
   */
  #mayComeBack(error: unknown): boolean {
    return this.#isRemote ? WeirError.is(error, 'runtime_unavailable') : this.#isOutage;
  }

  #lost(reason: string): void {
    this.#client = undefined;
    this.#isOutage = true;
    this.#failure = reason;
    this.#retryLater(true);
  }

  /**
   * Tries again, after a longer wait each time, until it gives up. A caller that needs the connection meanwhile begins
   * an attempt at once, which does not count among the planned ones.
   * @param isCounted whether this failure lengthens the wait
   */
  #retryLater(isCounted: boolean): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    if (isCounted || this.#losses.length === 0) this.#losses = [...this.#losses.slice(-9), now];
    const plan = this.#isRemote
      ? planReconnect(this.#losses.length)
      : planRestart(this.#losses, now);
    if (!plan.restart) {
      this.#isOutage = false;
      this.#failure = gaveUp;
      this.#set('failed');
      return;
    }
    log(
      this.#isRemote
        ? `There is no connection; trying again in ${plan.delayMs} ms.`
        : `The runtime has ended; starting it again in ${plan.delayMs} ms.`,
    );
    this.#set('starting');
    this.#cancelRestart = clock.after(plan.delayMs, () => {
      // The state has the reason, and another attempt is planned.
      this.#attempt(true).catch(() => undefined);
    });
  }

  #endOutage(): void {
    this.#cancelRestart?.();
    this.#isOutage = false;
  }

  #set(state: RuntimeState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.onState.fire(state);
  }
}

function throwIf(error: WeirError | undefined): void {
  if (error !== undefined) throw error;
}

function left(): WeirError {
  return new WeirError('cancelled', 'Another runtime is used now.');
}

function closing(): WeirError {
  return new WeirError('cancelled', 'The window is closing.');
}

const gaveUp =
  'The runtime has ended six times within a minute: see Weir: Show Output, then run Weir: Restart Runtime.';

/** Losses within the window up to which the runtime is started again without asking. */
const maxRestarts = 5;
const windowMs = 60_000;
const firstDelayMs = 500;
const maxDelayMs = 8000;

export type Restart =
  | { readonly restart: true; readonly delayMs: number }
  | { readonly restart: false };

/**
 * When a runtime that died is started again: at once after the first loss, then after 0.5 s, 1 s, …,
 * 8 s; never after more than five losses in a minute.
 * @param losses when it was lost or failed to start, epoch ms, oldest first, the latest included
 */
export function planRestart(losses: readonly number[], now: number): Restart {
  const recent = losses.filter((at) => now - at < windowMs).length;
  if (recent > maxRestarts) return { restart: false };
  const delayMs = recent <= 1 ? 0 : Math.min(firstDelayMs * 2 ** (recent - 2), maxDelayMs);
  return { restart: true, delayMs };
}

const longestReconnectMs = 30_000;

/**
 * When a runtime on another machine is asked again: its network or the machine itself comes back some day. After half a
 * second, twice as long each time, half a minute at most.
 * @param losses how often it was lost or could not be reached since it was connected last, up to ten
 */
export function planReconnect(losses: number): Restart {
  return {
    restart: true,
    delayMs: Math.min(firstDelayMs * 2 ** Math.max(losses - 1, 0), longestReconnectMs),
  };
}
