import type { Clock } from '../clock.ts';

export interface WatchPlaceOptions {
  /** Whether everything that is written to is still where clients and the next start look for it. */
  readonly inPlace: () => boolean;
  /** Called once, when it is not. */
  readonly lost: () => void;
  readonly clock: Clock;
}

/**
 * How often is looked. In between, requests are acknowledged that go the way of all that was in the
 * folder; to look at each would cost an event more than to store it. Our decision.
 */
const everyMs = 1000;

/**
 * Notices that the data folder was deleted, moved away or replaced while the runtime has it. It looks,
 * as the system tells of changes in a folder only together with each write to the store.
 * @returns how to stop it
 */
export function watchPlace({ inPlace, lost, clock }: WatchPlaceOptions): () => void {
  let cancel: () => void;
  const look = (): void => {
    if (inPlace()) wait();
    else lost();
  };
  const wait = (): void => {
    cancel = clock.after(everyMs, look);
  };
  wait();
  return () => cancel();
}
