import type { Emit } from '../../../protocol/host.ts';

/**
 * The emits of one invocation, oldest first. With any `ts` the batch is sorted by it, equal ones in
 * call order (P10.4); one without counts as emitted at its call (P10.5). Without any `ts` call order
 * stands.
 */
export function orderEmits(emits: readonly Emit[]): readonly Emit[] {
  if (emits.length < 2 || emits.every((emit) => emit.ts === undefined)) return emits;
  return emits.toSorted((a, b) => (a.ts ?? a.at) - (b.ts ?? b.at));
}
