/** Numbers of [0, 1) that a seed repeats (mulberry32). */
export type SeededRandom = () => number;

/** @param seed an unsigned 32-bit integer */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer of [least, most]. */
export function integerOf(random: SeededRandom, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** In an order that is as likely as any other. */
export function shuffled<T>(random: SeededRandom, all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
