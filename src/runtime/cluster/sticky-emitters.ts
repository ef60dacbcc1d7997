import type { Clock } from '../base/clock.ts';

/** For so long after somebody has worked with it, in ms. */
const stayMs = 60_000;

/** Sources and workflows that do not move for a while: somebody works with them, or their runs do not end. */
export class StickyEmitters {
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** By `clock.elapsed`. */
  readonly #until = new Map<string, number>();
  /** How many work with it just now. */
  readonly #inUse = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  has(id: string): boolean {
    if (this.#inUse.has(id)) return true;
    const until = this.#until.get(id);
    if (until === undefined) return false;
    if (until > this.#clock.elapsed()) return true;
    this.#until.delete(id);
    return false;
  }

  /** For a while from now on. */
  add(id: string): void {
    this.#until.set(id, this.#clock.elapsed() + stayMs);
  }

  /** @returns what ends it; a while later it may move */
  use(id: string): () => void {
    this.#inUse.set(id, (this.#inUse.get(id) ?? 0) + 1);
    return () => {
      const others = (this.#inUse.get(id) ?? 0) - 1;
      if (others > 0) this.#inUse.set(id, others);
      else this.#inUse.delete(id);
      this.add(id);
    };
  }
}
