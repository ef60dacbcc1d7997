/**
 * Keeps the store from growing without bound: rows above the limits are deleted, oldest first; the 100 newest of each
 * kind always stay (P22.6). An emitter is checked after a number of new rows, and all emitters from time to time,
 * because rows age even if none is added. Runs of actions have no emitter, and are checked in the same way.
 */
import { WeirError } from '../../protocol/errors.ts';
import { describeError } from '../base/log.ts';
import type { Committed, Due } from './signals.ts';
import type { ActionRunRecord } from '../store/history/action-runs.ts';
import type { Store } from '../store/store.ts';
import type { Services } from './services.ts';

export interface RetentionOptions extends Pick<
  Services,
  'emitters' | 'signals' | 'settings' | 'clock' | 'log'
> {
  readonly store: {
    readonly events: Pick<Store['events'], 'prune'>;
    readonly logs: Pick<Store['logs'], 'prune'>;
    readonly invocations: Pick<Store['invocations'], 'prune'>;
    readonly deliveries: Pick<Store['deliveries'], 'prune'>;
    readonly actionRuns: Pick<Store['actionRuns'], 'prune' | 'endLost'>;
  };
}

/** Used like an id of an emitter. */
const actionRuns = 'action runs';
const everyRows = 500;
/** After the start, when there is more important to do. */
const firstSweepMs = 60_000;
const sweepMs = 3_600_000;
const dayMs = 86_400_000;

/** Returns how to stop it. */
export function startRetention(options: RetentionOptions): () => void {
  const { store, emitters, signals, settings, clock, log } = options;
  const rowsSince = new Map<string, number>();
  let stopped = false;

  const keep = () => ({
    count: settings['retention.events'],
    before: clock.now() - settings['retention.days'] * dayMs,
  });
  const prune = async (emitterId: string): Promise<void> => {
    const owner = emitters.get(emitterId);
    if (owner === undefined) return;
    const bytes = settings['retention.megabytes'] * 1024 * 1024;
    const removed = await store.events.prune(owner, { ...keep(), bytes });
    await store.logs.prune(owner, keep());
    await store.invocations.prune(owner, keep());
    await store.deliveries.prune(owner, keep());
    if (removed > 0) signals.emit('eventsDeleted', emitterId);
  };
  const pruneActionRuns = async (): Promise<void> => {
    await store.actionRuns.endLost(clock.now());
    await store.actionRuns.prune(keep());
  };
  const sweep = async (ids: readonly string[]): Promise<void> => {
    try {
      for (const id of ids) {
        if (!stopped) await (id === actionRuns ? pruneActionRuns() : prune(id));
      }
    } catch (error) {
      // A store that is being closed takes no more writes; one that failed has said why; of what another
      // runtime owns by now that one removes old rows.
      if (!stopped && !WeirError.is(error, 'store_failed') && !WeirError.is(error, 'conflict'))
        log('error', `Old rows were not removed: ${describeError(error)}`);
    }
  };

  const count = (emitterId: string, added: number): void => {
    // The first commit after a start is a reason to look: nobody counted what came before.
    const rows = (rowsSince.get(emitterId) ?? everyRows - 1) + added;
    rowsSince.set(emitterId, rows < everyRows ? rows : 0);
    if (rows >= everyRows) void sweep([emitterId]);
  };
  const onCommitted = ({ commit }: Committed): void =>
    count(commit.emitterId, commit.events.length + commit.drops.length + commit.logs.length);
  const onDue = ({ emitterId, made }: Due): void => count(emitterId, made.count);
  const onActionRun = ({ endedAt }: ActionRunRecord): void => {
    if (endedAt !== null) count(actionRuns, 1);
  };
  const onDeleted = (id: string): void => void rowsSince.delete(id);
  signals.on('committed', onCommitted);
  signals.on('due', onDue);
  signals.on('actionRun', onActionRun);
  signals.on('emitterDeleted', onDeleted);

  let cancel: () => void;
  const wait = (ms: number): void => {
    cancel = clock.after(ms, () => {
      void sweep([actionRuns, ...emitters.all().map(({ id }) => id)]);
      wait(sweepMs);
    });
  };
  wait(firstSweepMs);
  return () => {
    stopped = true;
    signals.off('committed', onCommitted);
    signals.off('due', onDue);
    signals.off('actionRun', onActionRun);
    signals.off('emitterDeleted', onDeleted);
    cancel();
  };
}
