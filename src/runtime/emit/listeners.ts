import type { SubscriptionRecord } from '../store/configuration/subscriptions.ts';

/** Who gets the events of one emitter on one channel, each once. */
export interface Audience {
  readonly webhooks: readonly string[];
  readonly sources: readonly string[];
}

export interface ListenersOptions {
  /** All there are (`store.subscriptions.all`). */
  readonly subscriptions: () => readonly SubscriptionRecord[];
  /** False for a listener that is switched off or gone: nothing is made for it. */
  readonly listens: (listenerId: string) => boolean;
}

const nobody: Audience = { webhooks: [], sources: [] };

/**
 * Which listeners an event has. A subscription names one emitter or a glob (`dc_*`, P18.3)
 * and one channel, '' being the default one: an event on a named channel reaches that channel's
 * listeners only (P10.12).
 *
 * A source is no listener of itself through a glob, or its own events would start it for ever (our
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

  /** A subscription, or what is active, has changed: the index is made anew when next asked. */
  changed(): void {
    this.#subscriptions = undefined;
    this.#byEmitter.clear();
  }

  #channelsOf(emitterId: string): ReadonlyMap<string, Audience> {
    this.#subscriptions ??= this.#options.subscriptions();
    const channels = new Map<string, { webhooks: Set<string>; sources: Set<string> }>();
    for (const { emitterId: pattern, listenerId, channel } of this.#subscriptions) {
      if (!emits(pattern, emitterId, listenerId) || !this.#options.listens(listenerId)) continue;
      let audience = channels.get(channel);
      if (audience === undefined) {
        audience = { webhooks: new Set(), sources: new Set() };
        channels.set(channel, audience);
      }
      if (listenerId.startsWith('wh_')) audience.webhooks.add(listenerId);
      else if (listenerId.startsWith('dc_')) audience.sources.add(listenerId);
    }
    return new Map(
      [...channels].map(([channel, { webhooks, sources }]) => [
        channel,
        { webhooks: [...webhooks], sources: [...sources] },
      ]),
    );
  }
}

function emits(pattern: string, emitterId: string, listenerId: string): boolean {
  if (!pattern.endsWith('*')) return pattern === emitterId;
  return emitterId.startsWith(pattern.slice(0, -1)) && listenerId !== emitterId;
}
