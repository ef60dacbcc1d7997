/**
 * The end of a ring of listeners (P18.14): sources that listen to each other, or one to itself, would run without end.
 * Each run that an event started knows how many such runs led to it (pure).
 */
import { mostHops } from '../../../protocol/hops.ts';
import type { Emit } from '../../../protocol/host.ts';
import type { Dropped } from './dedupe.ts';
import type { Listeners } from './listeners.ts';

export const ringReason = `It was emitted after ${mostHops} runs in a row that events started (usually a ring of listeners). Delete one of their subscriptions.`;

/**
 * Divides the emits of the last run of such a row: those that may be emitted all the same, and those that would start
 * yet another run.
 */
export function cutRing(
  listeners: Pick<Listeners, 'of'>,
  emitterId: string,
  emits: readonly Emit[],
): { readonly emits: readonly Emit[]; readonly dropped: readonly Dropped[] } {
  const goOn: Emit[] = [];
  const dropped: Dropped[] = [];
  for (const emit of emits) {
    const { triggers } = listeners.of(emitterId, emit.name ?? '');
    if (triggers.length > 0) dropped.push({ emit, reason: ringReason });
    else goOn.push(emit);
  }
  return { emits: goOn, dropped };
}
