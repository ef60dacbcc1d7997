/** A store and its model side by side: what is asked of one is done to the other, and both compared. */
import { WeirError } from '../../../src/protocol/errors.ts';
import type { TakenEmitter } from '../../../src/runtime/store/ownership.ts';
import type { Store } from '../../../src/runtime/store/store.ts';
import type { OpenedStore } from '../rules.ts';
import { expectAscending, KnownNumbers } from './numbers.ts';
import { PlainStore } from './plain-store.ts';
import { expectedView, viewOf } from './view.ts';

export interface Write {
  /** Does it to the model. Throws a WeirError where the store has to refuse it. */
  readonly apply: (plain: PlainStore) => unknown;
  /** Asks the store for it, before it returns. @param expected what the model says; undefined when it refuses */
  readonly ask: (store: Store, expected: unknown) => Promise<unknown>;
}

interface Asked {
  readonly apply: (plain: PlainStore) => unknown;
  resolved: boolean;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

export class Session {
  readonly #opened: OpenedStore;
  readonly numbers = new KnownNumbers();
  /** With everything that was asked for. */
  plain = new PlainStore();
  /** With everything that had resolved when all had, and what was asked for since. */
  #settled = new PlainStore();
  #asked: Asked[] = [];
  #underWay: Promise<void>[] = [];
  #failure: { readonly error: unknown } | undefined;
  /** Counts openings: what an earlier one answers after its end is of no interest. */
  #opening = 0;
  /** The last that were seen. An emitter that is made again under its old id is another, and begins anew. */
  readonly #fences = new Map<string, LastFence>();
  #now = 1000;

  constructor(opened: OpenedStore) {
    this.#opened = opened;
  }

  get store(): Store {
    return this.#opened.store;
  }

  /** Epoch ms; later at each look. */
  now(): number {
    return ++this.#now;
  }

  /** Of the owner that the script is. */
  async fenceOf(emitterId: string): Promise<number> {
    const opening = this.#opening;
    const { life } = this.plain.emitter(emitterId);
    const known = this.#fences.get(emitterId);
    if (known?.opening === opening && known.life === life) return known.fence;
    const { fence } = await this.store.ownership.take(emitterId);
    this.#fences.set(emitterId, { opening, life, fence });
    return fence;
  }

  /** Asks for it and does not wait. */
  write({ apply, ask }: Write): void {
    const [value, expected] = outcomeOf(() => apply(this.plain));
    const asked: Asked = { apply, resolved: false };
    this.#asked.push(asked);
    const opening = this.#opening;
    const settled = async (): Promise<void> => {
      const shown = await shownBy(ask(this.store, value));
      if (opening !== this.#opening) return;
      this.numbers.compare(shown, expected);
      this.numbers.learnFrom(shown, expected);
      // A refusal promises nothing of what was asked for before it.
      asked.resolved = 'value' in shown;
    };
    this.#underWay.push(
      settled().catch((error: unknown) => {
        this.#failure ??= { error };
      }),
    );
  }

  /** So many turns of the loop go by. */
  async pass(turns: number): Promise<void> {
    for (let i = 0; i < turns; i++) await turn();
    this.check();
  }

  /** Until all that was asked for has resolved. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
    this.check();
    this.#underWay = [];
    this.#asked = [];
    this.#settled = this.plain.copy();
  }

  /** Fails when something was answered wrongly so far. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Compares all that the store shows with all that was asked for. */
  async look(): Promise<void> {
    const taken = new Map<string, TakenEmitter>();
    for (const { id } of this.store.sources.all()) {
      taken.set(id, await this.store.ownership.take(id));
    }
    const shown = await viewOf(this.store, this.#now, taken);
    const expected = await expectedView(this.plain, this.#now);
    this.numbers.compare(shown, expected);
    this.numbers.learnFrom(shown, expected);
    this.check();
  }

  /** Closes the store with what is under way, and opens it again. */
  async reopen(): Promise<void> {
    const store = await this.#opened.reopen();
    await this.settle();
    this.#opening++;
    const taken = await takeAll(store);
    const shown = await viewOf(store, this.#now, taken);
    const expected = await expectedView(this.plain, this.#now);
    this.numbers.compare(shown, expected);
    this.numbers.learnFrom(shown, expected);
    this.#checkFences(taken);
  }

  /**
   * Takes the power away. What is there then has to be what had been asked for up to some moment, and
   * not before the last that had resolved.
   */
  async crash(random: () => number): Promise<void> {
    this.check();
    const asked = this.#asked;
    const resolved = asked.findLastIndex((one) => one.resolved) + 1;
    this.#opening++;
    const store = await this.#opened.crash(random);
    const taken = await takeAll(store);
    const shown = await viewOf(store, this.#now, taken);
    const plain = this.#settled.copy();
    const failures: unknown[] = [];
    for (let done = 0; ; done++) {
      if (done >= resolved) {
        const expected = await expectedView(plain, this.#now);
        try {
          this.numbers.compare(shown, expected);
          this.numbers.forgetAfter(plain.state.numbers);
          this.numbers.learnFrom(shown, expected);
          break;
        } catch (error) {
          failures.push(error);
        }
      }
      const next = asked[done];
      // Not even what had resolved, not all of it, and nothing in between: how it differs from the first.
      if (next === undefined) throw failures[0];
      outcomeOf(() => next.apply(plain));
    }
    this.plain = plain;
    this.#settled = plain.copy();
    this.#asked = [];
    this.#underWay = [];
    this.#checkFences(taken);
  }

  /** Each opening owns with a greater fence than the one before. */
  #checkFences(taken: ReadonlyMap<string, TakenEmitter>): void {
    for (const { id, fence } of taken.values()) {
      const before = this.#fences.get(id);
      if (before?.life === this.plain.emitter(id).life) {
        expectAscending('fence', before.fence, fence);
      }
    }
  }
}

interface LastFence {
  readonly opening: number;
  readonly life: number;
  readonly fence: number;
}

async function takeAll(store: Store): Promise<ReadonlyMap<string, TakenEmitter>> {
  const taken = new Map<string, TakenEmitter>();
  await store.ownership.takeAll((one) => taken.set(one.id, one));
  return taken;
}

/** The model's answer, and the outcome it stands for. */
function outcomeOf(apply: () => unknown): [value: unknown, outcome: object] {
  try {
    const value = apply();
    return [value, { value }];
  } catch (error) {
    if (!WeirError.is(error)) throw error;
    return [undefined, { refused: error.code }];
  }
}

async function shownBy(answer: Promise<unknown>): Promise<object> {
  try {
    return { value: await answer };
  } catch (error) {
    if (!WeirError.is(error)) throw error;
    return { refused: error.code };
  }
}
