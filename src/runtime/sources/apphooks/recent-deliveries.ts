/**
 * Which deliveries of an app a source has accepted, so that a retry does not run it twice. They need no table: the id
 * of a delivery is in the inbox beside its event, in one write with it, and is read back from there.
 */
import type { Trigger } from '../../../protocol/host.ts';
import type { InvocationTable } from '../../store/history/invocations.ts';

/** Apps repeat a delivery within hours: so many of the newest are known. */
const mostKnown = 1000;

export class RecentDeliveries {
  readonly #invocations: Pick<InvocationTable, 'list' | 'trigger'>;
  /** By source: the delivery, and when it is on disk. */
  readonly #known = new Map<string, Promise<Map<string, Promise<void>>>>();

  constructor(invocations: Pick<InvocationTable, 'list' | 'trigger'>) {
    this.#invocations = invocations;
  }

  /**
   * Accepts a delivery, unless it has arrived before. Resolves when it is on disk, whichever request brought it.
   * @param takeIn resolves when it is on disk; if it fails, the delivery counts as not received
   */
  async once(sourceId: string, delivery: string, takeIn: () => Promise<void>): Promise<void> {
    const known = await this.#of(sourceId);
    const before = known.get(delivery);
    if (before !== undefined) return before;
    const durable = takeIn();
    known.set(delivery, durable);
    if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
    try {
      await durable;
    } catch (error) {
      known.delete(delivery);
      throw error;
    }
  }

  /** It is deleted. */
  forget(sourceId: string): void {
    this.#known.delete(sourceId);
  }

  #of(sourceId: string): Promise<Map<string, Promise<void>>> {
    const known = this.#known.get(sourceId) ?? this.#read(sourceId);
    this.#known.set(sourceId, known);
    // The next one that asks tries again.
    known.catch(() => this.#known.delete(sourceId));
    return known;
  }

  /** Oldest first, like newly arriving deliveries. */
  async #read(sourceId: string): Promise<Map<string, Promise<void>>> {
    const { rows } = await this.#invocations.list(sourceId, { limit: mostKnown });
    const http = rows.filter(({ cause }) => cause === 'http');
    const triggers = await Promise.all(http.map(({ n }) => this.#invocations.trigger(n)));
    const deliveries = triggers.flatMap((trigger) => deliveryOf(trigger) ?? []).toReversed();
    return new Map(deliveries.map((delivery) => [delivery, Promise.resolve()]));
  }
}

function deliveryOf(trigger: Trigger | undefined): string | undefined {
  return trigger?.kind === 'event' ? trigger.delivery : undefined;
}
