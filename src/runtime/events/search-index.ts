/**
 * Puts the words of new events into the index when there is time: an event's words cost 30 to 40 µs,
 * its whole way through the runtime not much more, so an emitter under load must not pay for them.
 * Until then a search reads those events one by one.
 */
import { WeirError } from '../../protocol/errors.ts';
import { describeError } from '../base/log.ts';
import type { Committed, Due } from './signals.ts';
import type { Store } from '../store/store.ts';
import type { OwnedEmitters } from './owner/owned-emitters.ts';
import type { Services } from './services.ts';

export interface SearchIndexOptions extends Pick<Services, 'signals' | 'clock' | 'log'> {
  readonly emitters: Pick<OwnedEmitters, 'all' | 'get'>;
  readonly store: { readonly events: Pick<Store['events'], 'index'> };
}

/** Indexing this many events takes about 4 ms, which no request notices; then other work has its turn. */
const mostAtOnce = 100;
const pauseMs = 20;

/** With more commits than this between two looks there is no time. */
const lookMs = 250;
const busyCommits = 50;

/** Returns how to stop it. What is not indexed then is indexed at the next start. */
export function startSearchIndex(options: SearchIndexOptions): () => void {
  const { store, emitters, signals, clock, log } = options;
  /** Emitters that may have events whose words are not in the index. */
  const behind = new Set(emitters.all().map(({ id }) => id));
  let commits = 0;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const wait = (ms: number): void => {
    if (!stopped) cancel = clock.after(ms, () => void look());
  };
  const look = async (): Promise<void> => {
    const busy = commits > busyCommits;
    commits = 0;
    const [id] = behind;
    try {
      if (!busy && id !== undefined) {
        // A commit in the meantime adds it again.
        behind.delete(id);
        if (await store.events.index(id, mostAtOnce)) behind.add(id);
      }
    } catch (error) {
      // A failed store accepts no more writes, and has reported why.
      if (!stopped && !WeirError.is(error, 'store_failed'))
        log('error', `Events were not indexed: ${describeError(error)}`);
      // The next commit has it tried again.
      cancel = undefined;
      return;
    }
    cancel = undefined;
    if (behind.size > 0) wait(busy ? lookMs : pauseMs);
  };
  const hasMore = (emitterId: string): void => {
    if (emitters.get(emitterId) === undefined) return;
    behind.add(emitterId);
    if (cancel === undefined) wait(lookMs);
  };
  const onCommitted = ({ commit }: Committed): void => {
    commits += 1;
    if (commit.events.length + commit.drops.length > 0) hasMore(commit.emitterId);
  };
  const onDue = ({ emitterId }: Due): void => {
    commits += 1;
    hasMore(emitterId);
  };

  signals.on('committed', onCommitted);
  signals.on('due', onDue);
  if (behind.size > 0) wait(lookMs);
  return () => {
    stopped = true;
    signals.off('committed', onCommitted);
    signals.off('due', onDue);
    cancel?.();
  };
}
