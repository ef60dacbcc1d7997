import { kindOf } from '../../../protocol/ids.ts';
import type { SubscriptionRecord } from '../../store/configuration/subscriptions.ts';

/** The listeners that get the events of one emitter on one channel, each once. */
export interface Audience {
  readonly webhooks: readonly string[];
  /** Emitters that run with it. */
  readonly triggers: readonly string[];
}

export interface ListenersOptions {
  /** All there are (`store.subscriptions.all`). */
  readonly subscriptions: () => readonly SubscriptionRecord[];
  /** False for a listener that is switched off or gone: nothing is made for it. */
  readonly listens: (listenerId: string) => boolean;
}

const nobody: Audience = { webhooks: [], triggers: [] };

/**
 * Which listeners an event has. A subscription names one emitter or a glob (`dc_*`, P18.3) and one channel, '' being
 * the default one: an event on a named channel reaches that channel's listeners only (P10.12).
 *
 * An emitter does not listen to itself through a glob, because its own events would start it without end (our
 * decision); it may subscribe to itself by its id, as published sources do.
 */
export class Listeners {
  readonly #options: ListenersOptions;
  #subscriptions: readonly SubscriptionRecord[] | undefined;
  readonly #byEmitter = new Map<string, ReadonlyMap<string, Audience>>();

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  of(emitterId: string, channel: string): Audience {
    let channels = this.#byEmitter.get(emitterId);
    if (channels === undefined) {
      channels = this.#channelsOf(emitterId);
      this.#byEmitter.set(emitterId, channels);
    }
    return channels.get(channel) ?? nobody;
  }

  /** A subscription, or the set of active listeners, has changed: the index is made again at its next use. */
  changed(): void {
    this.#subscriptions = undefined;
    this.#byEmitter.clear();
  }

  #channelsOf(emitterId: string): ReadonlyMap<string, Audience> {
    this.#subscriptions ??= this.#options.subscriptions();
    const channels = new Map<string, { webhooks: Set<string>; triggers: Set<string> }>();
    for (const { emitterId: pattern, listenerId, channel } of this.#subscriptions) {
      if (!emits(pattern, emitterId, listenerId) || !this.#options.listens(listenerId)) continue;
      let audience = channels.get(channel);
      if (audience === undefined) {
        audience = { webhooks: new Set(), triggers: new Set() };
        channels.set(channel, audience);
      }
      (kindOf(listenerId) === 'webhook' ? audience.webhooks : audience.triggers).add(listenerId);
    }
    return new Map(
      [...channels].map(([channel, { webhooks, triggers }]) => [
        channel,
        { webhooks: [...webhooks], triggers: [...triggers] },
      ]),
    );
  }
}

function emits(pattern: string, emitterId: string, listenerId: string): boolean {
  if (!pattern.endsWith('*')) return pattern === emitterId;
  return emitterId.startsWith(pattern.slice(0, -1)) && listenerId !== emitterId;
}
