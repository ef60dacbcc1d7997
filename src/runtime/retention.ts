/**
 * Keeps the store from growing for ever: after so many new rows of a source, its oldest events, lines
 * and invocations above the limits go; the 100 newest always stay (house §4, our decision on top of reference §9).
 */
import { describeError, type Log } from './log.ts';
import type { Settings } from './settings.ts';
import type { Signals } from './signals.ts';
import type { Store } from './store/store.ts';

const everyEvents = 500;
const dayMs = 86_400_000;

export function startRetention(
  store: Store,
  signals: Signals,
  settings: Settings,
  now: () => number,
  log: Log,
): void {
  const sinceLast = new Map<string, number>();
  const prune = async (sourceId: string): Promise<void> => {
    const keep = {
      count: settings['retention.events'],
      before: now() - settings['retention.days'] * dayMs,
    };
    const bytes = settings['retention.megabytes'] * 1024 * 1024;
    const removed = await store.events.prune(sourceId, { ...keep, bytes });
    await store.logs.prune(sourceId, keep);
    await store.invocations.prune(sourceId, keep);
    await store.deliveries.prune(keep);
    if (removed > 0) signals.emit('eventsDeleted', sourceId);
  };
  signals.on('committed', ({ commit }) => {
    const added = commit.events.length + commit.drops.length + commit.logs.length;
    const count = (sinceLast.get(commit.sourceId) ?? everyEvents - 1) + added;
    if (count < everyEvents) {
      sinceLast.set(commit.sourceId, count);
      return;
    }
    sinceLast.set(commit.sourceId, 0);
    prune(commit.sourceId).catch((error: unknown) =>
      log('error', `Old events were not removed: ${describeError(error)}`),
    );
  });
  signals.on('sourceDeleted', (id) => sinceLast.delete(id));
}
