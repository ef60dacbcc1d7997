import type { ConfigurableProp } from '../../../protocol/definition.ts';

/** How many sets are kept; the oldest goes first. */
const most = 200;

/**
 * The sets that `additionalProps` made for forms, by `dyp_…` (P6.8, P6.9): a form names its set when it asks again.
 * They are in memory only: a form that outlives the runtime computes its set again.
 */
export class PropSets {
  readonly #sets = new Map<string, readonly ConfigurableProp[]>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Returns the id of the set. */
  add(props: readonly ConfigurableProp[]): string {
    const id = this.#newId();
    this.#sets.set(id, props);
    const [oldest] = this.#sets.keys();
    if (this.#sets.size > most && oldest !== undefined) this.#sets.delete(oldest);
    return id;
  }

  get(id: string): readonly ConfigurableProp[] | undefined {
    return this.#sets.get(id);
  }
}
