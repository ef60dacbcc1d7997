/**
 * The circle of running sources: a run emits, an emit reaches listeners, which run in turn; a timer starts runs. Each
 * looks up the others when it is called, not when it is made.
 */
import { WeirError } from '../../protocol/errors.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type { Inbox } from '../events/inbox.ts';
import { isDedupeStrategy } from '../events/emit/dedupe.ts';
import { createEmitIds } from '../events/emit/emit-ids.ts';
import { Listeners } from '../events/emit/listeners.ts';
import { EventPlanner } from '../events/emit/planner.ts';
import { secureRandom } from '../base/ids.ts';
import { DueEmits } from '../events/runs/due-emits.ts';
import { Invocations, type InvocationsOptions } from '../events/runs/invocations.ts';
import { Instances } from '../sources/instances.ts';
import { SourceKind } from '../sources/source-kind.ts';
import { Probation } from '../events/runs/probation.ts';
import { Timers, timerTrigger } from '../events/triggers/timers.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import { accountIds } from '../components/props/configured.ts';
import type { HostLimits } from '../processes/host.ts';
import { hostConfiguration } from '../sources/host-configuration.ts';
import { processLog } from '../sources/process-log.ts';
import { unreadableTimer } from './unreadable-timers.ts';
import type { TokenKeeper } from './token-keeper.ts';
import type { Services } from '../events/services.ts';

export interface RunningSourcesOptions extends Services {
  readonly limits: HostLimits;
  /** Starts processes of sources. */
  readonly components: Pick<Components, 'get' | 'open'>;
  readonly accounts: Accounts;
  readonly tokens: TokenKeeper;
  readonly sealer: Sealer;
  readonly endpointUrl: (interfaceId: string) => string;
  readonly stashDir: (sourceId: string) => string;
  readonly inbox: Inbox;
  /** Runs of sources at other nodes; absent if there are none. */
  readonly elsewhere?: InvocationsOptions['elsewhere'];
}

export interface RunningSources {
  readonly listeners: Listeners;
  readonly planner: EventPlanner;
  readonly instances: Instances;
  readonly invocations: Invocations;
  /** Shared by sources and workflows. */
  readonly probation: Probation;
  readonly dueEmits: DueEmits;
  readonly timers: Timers;
}

/** So much of what waits for its turn is held in memory; the rest is read from the store when its turn comes. */
export const waitingBytes = 64 * 1024 * 1024;

/** The result registers its own cleanup with `closing`. */
export function createRunningSources(options: RunningSourcesOptions): RunningSources {
  const { store, signals, emitters, settings, clock, now, log, closing, report, kinds } = options;
  const { inbox, components, limits, tokens, hold } = options;

  const listeners = new Listeners({
    subscriptions: () => store.subscriptions.all(),
    listens: (id) => kinds.find(id)?.listens(id) ?? store.webhooks.get(id)?.active === true,
  });
  for (const event of [
    'source',
    'workflow',
    'emitterDeleted',
    'webhook',
    'webhookDeleted',
    'subscription',
    'subscriptionDeleted',
  ] as const) {
    signals.on(event, () => listeners.changed());
  }
  const planner = new EventPlanner({
    strategy: (id) => {
      const strategy = instances.get(id)?.record.definition.dedupe ?? '';
      return isDedupeStrategy(strategy) ? strategy : null;
    },
    emitId: createEmitIds(secureRandom),
    listeners,
    mostWaiting: {
      count: settings['scheduled.events'],
      bytes: settings['scheduled.megabytes'] * 1024 * 1024,
    },
  });
  const httpConcurrency = settings['run.httpConcurrency'];
  const probation = new Probation({
    store,
    clock,
    log,
    inFlight: () => kinds.all().reduce((sum, kind) => sum + kind.inFlight, 0),
    changed: () => {
      for (const kind of kinds.all()) kind.startNext();
    },
  });
  const instances: Instances = new Instances({
    store,
    openHost: ({ record, deployment }, signal) =>
      components.open(deployment, {
        sourceId: record.id,
        limits,
        signal,
        ...processLog(options, record.id),
      }),
    configuration: (record) => hostConfiguration(options, record),
    refreshExpiring: ({ configuredProps }) =>
      tokens.refreshExpiring(accountIds(configuredProps), limits.timeoutMs),
    httpConcurrency,
    gate: probation,
    hold,
    idleMs: settings['run.idleSeconds'] * 1000,
    idleProcesses: options.idleProcesses,
    clock,
  });
  hold.onRelease(() => {
    for (const { runner } of instances.all()) runner.startNext();
  });
  const invocations: Invocations = new Invocations({
    store,
    probation,
    unauthorized: (id) => {
      const source = store.sources.get(id);
      if (source !== undefined) tokens.unauthorized(accountIds(source.configuredProps));
    },
    signals,
    emitters,
    planner,
    now,
    clock,
    log,
    httpConcurrency,
    waitingBytes,
    runnerOf: (id, queue) => (queue === 'hook' ? instances.get(id)?.runner : instances.running(id)),
    triggered: (runs) => inbox.triggered(runs),
    ...(options.elsewhere && { elsewhere: options.elsewhere }),
  });
  closing.push(() => invocations.close());
  closing.push(() => probation.close());

  const dueEmits = new DueEmits({
    store,
    hold,
    emitters,
    clock,
    emit: (emitter, emits) => invocations.emitDue(emitter, emits),
    failed: (emitterId, error) => {
      // It was deleted meanwhile, or the store failed and has reported that.
      if (WeirError.is(error, 'not_found') || WeirError.is(error, 'store_failed')) return;
      report(`${emitterId}: what was due could not be emitted`, error);
    },
  });
  signals.on('committed', ({ commit }) => {
    if (commit.scheduled !== undefined) dueEmits.changed();
  });
  closing.push(() => dueEmits.close());

  const tickIsStored = (id: string, stored: Promise<void>): void => {
    stored.then(
      () => kinds.of(id).changed(id),
      (error: unknown) => tickNotStored(id, error),
    );
  };
  // A failed store has reported that, once.
  const tickNotStored = (sourceId: string, error: unknown): void => {
    if (!WeirError.is(error, 'store_failed'))
      report(`${sourceId}: a tick could not be stored`, error);
  };
  const timers = new Timers({
    clock,
    hold,
    fire: (id, timer, nextAt) => {
      const trigger = timerTrigger(timer, now());
      const tick = { interfaceId: timer.id, nextAt };
      tickIsStored(id, inbox.accept(id, { cause: 'timer', trigger, tick }).durable);
    },
    unreadable: (sourceId, problem) => {
      const named = store.sources.get(sourceId) ?? store.workflows.get(sourceId);
      log('error', unreadableTimer(named?.name ?? sourceId, problem));
    },
    failed: tickNotStored,
    isRunning: (sourceId) => instances.get(sourceId)?.runner.busy === true,
    skipped: (sourceId) =>
      log('info', `${sourceId}: a tick was left out because the run before it still goes on`),
    moved: (sourceId, interfaceId, nextAt) => {
      const emitter = emitters.require(sourceId);
      tickIsStored(sourceId, store.sources.setNextTick(emitter, interfaceId, nextAt));
    },
  });
  closing.push(() => timers.close());

  kinds.add(
    new SourceKind({ store, signals, emitters, components, instances, invocations, timers }),
  );
  return { listeners, planner, instances, invocations, probation, dueEmits, timers };
}
