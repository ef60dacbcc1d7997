/**
 * Puts the words of new events into the index when there is time: an event's words cost 30 to 40 µs,
 * its whole way through the runtime not much more, so a source under load must not pay for them.
 * Until then a search reads those events one by one.
 */
import { WeirError } from '../protocol/errors.ts';
import { describeError, type Log } from './log.ts';
import type { SetTimer } from './set-timer.ts';
import type { Signals } from './signals.ts';
import type { Store } from './store/store.ts';

export interface SearchIndexOptions {
  readonly store: Pick<Store, 'search'>;
  readonly signals: Signals;
  readonly setTimer: SetTimer;
  readonly log: Log;
}

/** So many events are a step of about 4 ms, which no request notices; after it others have their turn. */
const step = 100;
const pauseMs = 20;

/** With more commits than this between two looks there is no time. */
const lookMs = 250;
const busyCommits = 50;

/** Returns how to stop it. What is not indexed then is indexed at the next start. */
export function startSearchIndex({
  store,
  signals,
  setTimer,
  log,
}: SearchIndexOptions): () => void {
  let commits = 0;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const wait = (ms: number): void => {
    if (!stopped) cancel = setTimer(() => void look(), ms);
  };
  const look = async (): Promise<void> => {
    const busy = commits > busyCommits;
    commits = 0;
    try {
      if (!busy) await store.search.step(step);
    } catch (error) {
      // A store that failed takes no more writes, and has said why.
      if (!stopped && !WeirError.is(error, 'store_failed'))
        log('error', `Events were not indexed: ${describeError(error)}`);
      return;
    }
    cancel = undefined;
    if (store.search.behind > 0) wait(busy ? lookMs : pauseMs);
  };
  const onCommitted = (): void => {
    commits += 1;
    if (cancel === undefined && store.search.behind > 0) wait(lookMs);
  };

  signals.on('committed', onCommitted);
  if (store.search.behind > 0) wait(lookMs);
  return () => {
    stopped = true;
    signals.off('committed', onCommitted);
    cancel?.();
  };
}
