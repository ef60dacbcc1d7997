/**
 * Keeps the store from growing for ever: what is above the limits goes, oldest first; the 100 newest
 * of each kind always stay (P22.6). A source is looked at
 * after so many new rows, and all are from time to time: what nothing is added to grows old as well.
 */
import { WeirError } from '../protocol/errors.ts';
import { describeError, type Log } from './log.ts';
import type { SetTimer } from './set-timer.ts';
import type { Settings } from './settings.ts';
import type { Committed, Signals } from './signals.ts';
import type { Store } from './store/store.ts';

export interface RetentionOptions {
  readonly store: {
    readonly sources: Pick<Store['sources'], 'all'>;
    readonly events: Pick<Store['events'], 'prune'>;
    readonly logs: Pick<Store['logs'], 'prune'>;
    readonly invocations: Pick<Store['invocations'], 'prune'>;
    readonly deliveries: Pick<Store['deliveries'], 'prune'>;
  };
  readonly signals: Signals;
  readonly settings: Settings;
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly log: Log;
}

const everyRows = 500;
/** After the start, when there is more important to do. */
const firstSweepMs = 60_000;
const sweepMs = 3_600_000;
const dayMs = 86_400_000;

/** Returns how to stop it. */
export function startRetention(options: RetentionOptions): () => void {
  const { store, signals, settings, now, setTimer, log } = options;
  const rowsSince = new Map<string, number>();
  let stopped = false;

  const keep = () => ({
    count: settings['retention.events'],
    before: now() - settings['retention.days'] * dayMs,
  });
  const prune = async (sourceId: string): Promise<void> => {
    const bytes = settings['retention.megabytes'] * 1024 * 1024;
    const removed = await store.events.prune(sourceId, { ...keep(), bytes });
    await store.logs.prune(sourceId, keep());
    await store.invocations.prune(sourceId, keep());
    if (removed > 0) signals.emit('eventsDeleted', sourceId);
  };
  const sweep = async (sourceIds: readonly string[]): Promise<void> => {
    try {
      for (const id of sourceIds) if (!stopped) await prune(id);
      if (!stopped) await store.deliveries.prune(keep());
    } catch (error) {
      // A store that is being closed takes no more writes; one that failed has said why.
      if (!stopped && !WeirError.is(error, 'store_failed'))
        log('error', `Old rows were not removed: ${describeError(error)}`);
    }
  };

  const onCommitted = ({ commit }: Committed): void => {
    const added = commit.events.length + commit.drops.length + commit.logs.length;
    // The first commit after a start is a reason to look: nobody counted what came before.
    const rows = (rowsSince.get(commit.sourceId) ?? everyRows - 1) + added;
    rowsSince.set(commit.sourceId, rows < everyRows ? rows : 0);
    if (rows >= everyRows) void sweep([commit.sourceId]);
  };
  const onDeleted = (id: string): void => void rowsSince.delete(id);
  signals.on('committed', onCommitted);
  signals.on('sourceDeleted', onDeleted);

  let cancel: () => void;
  const wait = (ms: number): void => {
    cancel = setTimer(() => {
      void sweep(store.sources.all().map(({ id }) => id));
      wait(sweepMs);
    }, ms);
  };
  wait(firstSweepMs);
  return () => {
    stopped = true;
    signals.off('committed', onCommitted);
    signals.off('sourceDeleted', onDeleted);
    cancel();
  };
}
