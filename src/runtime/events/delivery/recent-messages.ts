import type { Outgoing } from '../../store/history/deliveries.ts';

/**
 * The deliveries of the latest commits, so that a usual delivery reads nothing. Bounded: for a target that is down,
 * only numbers are kept, and the store has the rest.
 */
export class RecentMessages {
  readonly #limit: number;
  readonly #byNumber = new Map<number, Outgoing>();
  #characters = 0;

  /** @param limit characters of payload in all */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(outgoing: Outgoing): void {
    const size = sizeOf(outgoing);
    if (this.#characters + size > this.#limit) return;
    this.#characters += size;
    this.#byNumber.set(outgoing.delivery.n, outgoing);
  }

  /** Takes it out; undefined when the store has to be asked. */
  take(n: number): Outgoing | undefined {
    const found = this.#byNumber.get(n);
    if (found === undefined) return undefined;
    this.#byNumber.delete(n);
    this.#characters -= sizeOf(found);
    return found;
  }

  /** The webhook is deleted. */
  forget(webhookId: string): void {
    for (const [n, { delivery }] of this.#byNumber)
      if (delivery.webhookId === webhookId) this.take(n);
  }
}

/** Also an empty payload takes some memory. */
function sizeOf({ message }: Outgoing): number {
  return (message?.payload.length ?? 0) + 200;
}
