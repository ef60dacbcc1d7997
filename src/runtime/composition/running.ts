/**
 * The circle of running sources. A run emits (planner), an emit reaches the sources that listen
 * (listeners), which run in turn (instances, invocations); a timer starts runs and reads from the
 * instances whether one still goes on. Each looks up the others when it is called, not when it is made.
 */
import { WeirError } from '../../protocol/errors.ts';
import { DedupeStates } from '../emit/dedupe-states.ts';
import { isDedupeStrategy } from '../emit/dedupe.ts';
import { createEmitIds } from '../emit/emit-ids.ts';
import { EventIds } from '../emit/event-ids.ts';
import { Listeners } from '../emit/listeners.ts';
import { EventPlanner } from '../emit/planner.ts';
import { secureRandom } from '../ids.ts';
import { Invocations } from '../invocations/invocations.ts';
import { hostConfiguration } from '../lifecycle/host-configuration.ts';
import { Instances } from '../lifecycle/instances.ts';
import { systemClock } from '../clock.ts';
import { Timers, timerTrigger } from '../triggers/timers.ts';
import type { Ground } from './ground.ts';
import type { Shared } from './shared.ts';
import type { Trying } from './trying.ts';

export interface Running {
  readonly instances: Instances;
  readonly invocations: Invocations;
  readonly timers: Timers;
}

export function createRunning(ground: Ground, shared: Shared, trying: Trying): Running {
  const { store, signals, sealer, accounts, limits, address, now, log, report, closing } = ground;
  const { settings } = ground.options;
  const { stashDir } = shared;
  const { debugging, prepare } = trying;

  const listeners = new Listeners({
    subscriptions: () => store.subscriptions.all(),
    listens: (id) =>
      id.startsWith('wh_')
        ? store.webhooks.get(id)?.active === true
        : instances.running(id) !== undefined,
  });
  for (const event of [
    'source',
    'sourceDeleted',
    'webhook',
    'webhookDeleted',
    'subscription',
    'subscriptionDeleted',
  ] as const) {
    signals.on(event, () => listeners.changed());
  }
  const planner = new EventPlanner({
    states: new DedupeStates((id) => store.sources.dedupe(id)),
    strategy: (id) => {
      const strategy = instances.get(id)?.record.definition.dedupe ?? '';
      return isDedupeStrategy(strategy) ? strategy : null;
    },
    ids: new EventIds(store.events.lastId()),
    emitId: createEmitIds(secureRandom),
    listeners,
  });
  signals.on('sourceDeleted', (id) => planner.forget(id));

  const instances: Instances = new Instances({
    openHost: ({ record, deployment }) =>
      debugging.components.open(deployment, {
        sourceId: record.id,
        limits,
        ...prepare.hostEvents(record.id),
      }),
    configuration: (record) =>
      hostConfiguration(
        { store, accounts, sealer, endpointUrl: address.endpointUrl, stashDir },
        record,
      ),
    httpConcurrency: settings['run.httpConcurrency'],
    idleMs: settings['run.idleSeconds'] * 1000,
  });
  const invocations = new Invocations({
    store,
    signals,
    planner,
    now,
    log,
    live: (id, lane) => (lane === 'hook' ? instances.get(id)?.live : instances.running(id)),
  });
  closing.push(() => invocations.stop());

  // A store that failed has said so, once.
  const tickNotStored = (sourceId: string, error: unknown): void => {
    if (!WeirError.is(error, 'store_failed'))
      report(`${sourceId}: a tick could not be stored`, error);
  };
  const timers = new Timers({
    clock: systemClock,
    fire: (sourceId, timer) => invocations.accept(sourceId, timerTrigger(timer, now()), 'timer'),
    failed: tickNotStored,
    isRunning: (sourceId) => instances.get(sourceId)?.live.busy === true,
    skipped: (sourceId) =>
      log('info', `${sourceId}: a tick was left out because the run before it still goes on`),
    moved: (sourceId, interfaceId, nextAt) => {
      instances.tickMoved(sourceId, interfaceId, nextAt);
      store.sources.setNextTick(interfaceId, nextAt).then(
        () => signals.emit('source', sourceId),
        (error: unknown) => tickNotStored(sourceId, error),
      );
    },
  });
  closing.push(() => timers.close());
  return { instances, invocations, timers };
}
