/** Dedupe (P11) beside a model that says the rules plainly, over many runs, restarts and changes of strategy. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Emit } from '../../src/protocol/host.ts';
import {
  dedupe,
  dedupeStrategies,
  type DedupeStrategy,
} from '../../src/runtime/events/emit/dedupe.ts';
import { orderEmits } from '../../src/runtime/events/emit/order.ts';
import { DedupeMemory } from '../../src/runtime/events/owner/dedupe-memory.ts';
import { holds } from '../support/holds.ts';

interface Step {
  readonly strategy: DedupeStrategy | null;
  readonly emits: readonly Emit[];
  readonly restarts: boolean;
}

/** Few, so that they meet; and those that are nearly the same. */
const id = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 250 }) },
  fc.nat({ max: 250 }).map(String),
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    '0',
    -0,
    '-0',
    ' 7 ',
    '7.0',
    '0x10',
    '1e2',
    'a',
    Infinity,
    '∞',
  ),
  fc.constantFrom(
    'x'.repeat(64),
    `${'x'.repeat(64)}y`,
    `${'x'.repeat(63)}😀`,
    `${'x'.repeat(63)}😁`,
  ),
  fc.double({ noNaN: true }),
);
const emit = fc
  .record({ id, ts: fc.option(fc.nat({ max: 20 }), { nil: undefined }), at: fc.nat({ max: 20 }) })
  .map(({ id: given, ts, at }) => {
    const made = { event: '{}', at, ...(ts !== undefined && { ts }) };
    return (given === undefined ? made : { ...made, id: given }) as Emit;
  });
const step: fc.Arbitrary<Step> = fc.record({
  strategy: fc.oneof(
    { weight: 8, arbitrary: fc.constant('kept' as never) },
    fc.constantFrom(...dedupeStrategies, null),
  ),
  emits: fc.array(emit, { maxLength: 150, size: 'max' }),
  restarts: fc.boolean(),
});

test('what comes out is what the rules say, whatever came before', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  await holds(
    fc.property(fc.constantFrom(...dedupeStrategies), steps, (first, all) => {
      let memory = new DedupeMemory({ strategy: null, ids: [] });
      const model = new Model();
      let strategy: DedupeStrategy | null = first;
      for (const { strategy: next, emits, restarts } of all) {
        if ((next as string | null) !== 'kept') strategy = next;
        const result = dedupe(strategy, memory, orderEmits(emits));
        if (result.change !== undefined) memory.apply(result.change);
        expect(result.emitted).toEqual(model.emitted(strategy, emits));
        expect(result.emitted.length + result.dropped.length).toBe(emits.length);
        if (restarts) memory = stored(memory);
      }
    }),
    400,
  );
});

/** Through the store, which keeps text in UTF-8. */
function stored({ strategy, ids, greatest, last }: DedupeMemory): DedupeMemory {
  const kept = (text: string) => Buffer.from(text).toString();
  return new DedupeMemory({
    strategy,
    ids: [...ids].map(kept),
    ...(greatest !== undefined && { greatest }),
    ...(last !== undefined && { last: kept(last) }),
  });
}

/** The rules, one after the other, over plain lists. */
class Model {
  #strategy: DedupeStrategy | null = null;
  #ids: string[] = [];
  #greatest: number | undefined;
  #last: string | undefined;

  emitted(strategy: DedupeStrategy | null, emits: readonly Emit[]): Emit[] {
    if (strategy !== this.#strategy) {
      this.#strategy = strategy;
      this.#ids = [];
      this.#greatest = this.#last = undefined;
    }
    // P10.4, P10.5
    const hasTs = emits.some(({ ts }) => ts !== undefined);
    const time = ({ ts, at }: Emit) => ts ?? at;
    const ordered = hasTs ? [...emits].sort((a, b) => time(a) - time(b)) : [...emits];
    if (strategy === null) return ordered;
    // P11.11
    const named = ordered.filter((one) => (one.id ?? '') !== '');
    if (strategy === 'unique') return this.#unique(named);
    return strategy === 'greatest' ? this.#greater(named) : this.#after(named);
  }

  /** P11.2, P11.3, P11.9, P11.10 */
  #unique(emits: readonly Emit[]): Emit[] {
    return emits.filter((one) => {
      const key = keyOf(one);
      if (this.#ids.includes(key)) return false;
      this.#ids.push(key);
      if (this.#ids.length > 100) this.#ids.shift();
      return true;
    });
  }

  /** P11.4 to P11.6 */
  #greater(emits: readonly Emit[]): Emit[] {
    const before = this.#greatest;
    const seen: number[] = [];
    const emitted = emits.filter((one) => {
      const text = String(one.id).trim();
      const value = Number(text);
      if (text === '' || !Number.isFinite(value)) return false;
      if (seen.includes(value) || (before !== undefined && value <= before)) return false;
      seen.push(value);
      return true;
    });
    if (seen.length > 0) this.#greatest = Math.max(...seen);
    return emitted;
  }

  /** P11.7, P11.8 */
  #after(emits: readonly Emit[]): Emit[] {
    const keys = emits.map(keyOf);
    const emitted =
      this.#last === undefined ? emits : emits.slice(keys.lastIndexOf(this.#last) + 1);
    const newest = emitted.at(-1);
    if (newest !== undefined) this.#last = keyOf(newest);
    return [...emitted];
  }
}

function keyOf({ id: given }: Emit): string {
  return String(given).slice(0, 64).toWellFormed();
}
