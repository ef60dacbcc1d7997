import type { BaseServices } from '../../base/services.ts';

export interface WatchPlaceOptions extends Pick<BaseServices, 'clock'> {
  /** Whether everything that is written to is still where clients and the next start look for it. */
  readonly inPlace: () => boolean;
  /** Called once, when it is not. */
  readonly lost: () => void;
}

/**
 * How often it looks, in ms. What is acknowledged in between is lost with all else in a deleted folder;
 * a look at each request would be a noticeable part of its cost. Our decision.
 */
const everyMs = 1000;

/**
 * Notices that the data folder was deleted, moved away or replaced while the runtime uses it. It polls:
 * a watcher of the folder would be woken by every write to the store.
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
