/** The consequences of a runtime's crash for the interrupted runs (pure; P12.14, P25.22). */
import type { Suspicion } from '../../store/history/suspicion.ts';
import { maxAttempts } from './loss.ts';

/** A run that may have been in flight when its runtime died. */
export interface Suspect extends Pick<Suspicion, 'outlived'> {
  readonly n: number;
  readonly attempt: number;
}

export type AfterDeath =
  | { readonly next: 'again'; readonly attempt: number; readonly outlived: number }
  | { readonly next: 'end' };

/**
 * Only a death while it ran alone counts: then nothing else can have caused it but the outside. Beside others it
 * runs again any number of times.
 */
export function afterDeath(attempt: number, suspicion: Suspicion | undefined): AfterDeath {
  const counted = suspicion?.isAlone === true ? attempt + 1 : attempt;
  if (counted > maxAttempts) return { next: 'end' };
  return { next: 'again', attempt: counted, outlived: suspicion?.outlived ?? 0 };
}

/**
 * Which of them runs alone first. One that has outlived its time alone is less likely the cause and would keep others
 * from being alone, so it comes last; of the others the one against which least was counted comes first.
 */
export function compareSuspects(one: Suspect, other: Suspect): number {
  return one.outlived - other.outlived || one.attempt - other.attempt || one.n - other.n;
}

/**
 * How long one runs alone before others may begin beside it, in ms. Each time that it outlives that and is cut off once
 * more it gets longer, so that one is found that takes its time to end the runtime.
 */
export function aloneMs(outlived: number): number {
  return Math.min(1000 * 2 ** outlived, 16_000);
}
