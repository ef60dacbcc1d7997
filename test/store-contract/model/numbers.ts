/** What is known of the numbers that a store gave out. */
import { expect } from 'vitest';
import type { NumberOf } from './state.ts';

export class KnownNumbers {
  readonly #known = new Map<number, { readonly kind: string; readonly n: number }>();

  get({ numberOf }: NumberOf): number | undefined {
    return this.#known.get(numberOf)?.n;
  }

  /** Fails unless it is greater than those asked for before it, and smaller than those after. */
  learn({ numberOf, kind }: NumberOf, n: number): void {
    for (const [other, known] of this.#known) {
      if (known.kind !== kind || other === numberOf) continue;
      if (other < numberOf) expectAscending(kind, known.n, n);
      else expectAscending(kind, n, known.n);
    }
    this.#known.set(numberOf, { kind, n });
  }

  /** Those after it were lost in a crash, and never told to anybody. */
  forgetAfter(last: number): void {
    for (const numberOf of this.#known.keys()) if (numberOf > last) this.#known.delete(numberOf);
  }

  /** Compares what the store showed with what the model says. Fails when they differ. */
  compare(shown: unknown, expected: unknown): void {
    expectSame(shown, this.#filledIn(expected));
  }

  /** Of what was compared: which numbers stand where the model did not know them. */
  learnFrom(shown: unknown, expected: unknown): void {
    if (isNumberOf(expected)) {
      if (this.get(expected) === undefined && typeof shown === 'number') {
        this.learn(expected, shown);
      }
      return;
    }
    if (expected instanceof Uint8Array || typeof expected !== 'object' || expected === null) return;
    if (expected instanceof Map) {
      const found = shown as ReadonlyMap<unknown, unknown>;
      for (const [key, one] of expected) this.learnFrom(found.get(key), one);
      return;
    }
    const found = shown as Readonly<Record<string, unknown>>;
    for (const [key, one] of Object.entries(expected)) this.learnFrom(found[key], one);
  }

  /** With the numbers that are known, and any number where one is not. */
  #filledIn(value: unknown): unknown {
    if (isNumberOf(value)) {
      const n = this.get(value);
      if (value.asText === true) return n === undefined ? expect.any(String) : String(n);
      return n ?? expect.any(Number);
    }
    if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one: unknown) => this.#filledIn(one));
    if (value instanceof Map) {
      return new Map(
        [...value].map(([key, one]): [unknown, unknown] => [key, this.#filledIn(one)]),
      );
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, this.#filledIn(one)]),
    );
  }
}

export function expectSame(shown: unknown, expected: unknown): void {
  expect(shown).toEqual(expected);
}

export function expectAscending(kind: string, earlier: number, later: number): void {
  expect(later, `a later ${kind}`).toBeGreaterThan(earlier);
}

/** `asText`: a cursor that is made of it. */
export function isNumberOf(value: unknown): value is NumberOf & { readonly asText?: boolean } {
  return typeof value === 'object' && value !== null && 'numberOf' in value;
}
