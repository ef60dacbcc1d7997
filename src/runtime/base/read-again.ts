import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from './clock.ts';

export interface ReadAgainOptions {
  /** Has a `failure` when it answers no more. */
  readonly store: { readonly failure: WeirError | undefined };
  readonly clock: Pick<Clock, 'after'>;
  /** Nobody waits for it any more. */
  readonly isOver: () => boolean;
}

/** Between two tries, in ms. */
const againMs = 250;

/**
 * Reads again until the store answers: a server that is restarted is no reason to end what waits for the read.
 * Rejects with `store_failed` when the store has failed for good, or nobody waits any more.
 */
export async function readAgain<T>(
  { store, clock, isOver }: ReadAgainOptions,
  read: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isForGood = store.failure !== undefined || isOver();
      if (isForGood || !WeirError.is(error, 'store_failed')) throw error;
    }
    await new Promise<void>((resolve) => void clock.after(againMs, resolve));
  }
}
