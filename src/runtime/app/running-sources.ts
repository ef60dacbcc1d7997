/**
 * The circle of running sources: a run emits, an emit reaches listeners, which run in turn; a timer starts runs. Each
 * looks up the others when it is called, not when it is made.
 */
import type { HostConfiguration } from '../../protocol/host.ts';
import { WeirError } from '../../protocol/errors.ts';
import { kindOf } from '../../protocol/ids.ts';
import type { Clock } from '../base/clock.ts';
import type { Closing } from '../base/closing.ts';
import { isDedupeStrategy } from '../events/emit/dedupe.ts';
import { createEmitIds } from '../events/emit/emit-ids.ts';
import { Listeners } from '../events/emit/listeners.ts';
import { EventPlanner } from '../events/emit/planner.ts';
import type { OwnedEmitters } from '../events/owner/owned-emitters.ts';
import type { Host } from '../processes/host.ts';
import { secureRandom } from '../base/ids.ts';
import { DueEmits } from '../events/runs/due-emits.ts';
import { type Incoming, Invocations, type InvocationsOptions } from '../events/runs/invocations.ts';
import { type Instance, Instances } from '../sources/instances.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings.ts';
import type { Signals } from '../events/signals.ts';
import { Probation } from '../events/runs/probation.ts';
import type { CommittedInvocation } from '../store/commit.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Store } from '../store/store.ts';
import { Timers, timerTrigger } from '../events/triggers/timers.ts';

export interface RunningSourcesOptions {
  readonly store: Store;
  readonly signals: Signals;
  readonly emitters: OwnedEmitters;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: Closing;
  /** Starts a process of the instance's code. */
  readonly openHost: (instance: Instance) => Promise<Host>;
  /** Props in the clear, accounts, endpoints, db. */
  readonly configuration: (record: SourceRecord) => HostConfiguration;
  /** What has to come before a run of it; undefined: nothing. */
  readonly freshen: (record: SourceRecord) => Promise<void> | undefined;
  /** A run of it failed because an app had answered 401. */
  readonly unauthorized: (record: SourceRecord) => void;
  /** Asked for late, as workflows are made of these parts; undefined where this runtime runs none. */
  readonly workflows: () => WorkflowTriggers | undefined;
  /** Runs of sources at other nodes; there are none unless given. */
  readonly elsewhere?: InvocationsOptions['elsewhere'];
  /** Told of runs that events started of emitters that another runtime owns. Nobody does unless given. */
  readonly leftToOthers?: (emitterIds: readonly string[]) => void;
  /** Logs an error that nobody waits for. */
  readonly report: (where: string, error: unknown) => void;
}

/** What runs workflows, as sources and timers see it. */
export interface WorkflowTriggers {
  accept(
    id: string,
    incoming: Pick<Incoming, 'cause' | 'trigger' | 'tick'>,
  ): { readonly durable: Promise<void> };
  triggered(runs: CommittedInvocation['triggered']): void;
  /** How many executions have begun and neither ended nor paused. */
  readonly inFlight: number;
  /** Something may begin that might not before. */
  startNext(): void;
}

export interface RunningSources {
  readonly listeners: Listeners;
  readonly planner: EventPlanner;
  readonly instances: Instances;
  readonly invocations: Invocations;
  /** Of sources and workflows. */
  readonly probation: Probation;
  readonly dueEmits: DueEmits;
  readonly timers: Timers;
  /** What an event started: runs of sources, executions of workflows. */
  triggered(runs: CommittedInvocation['triggered']): void;
}

/** So much of what waits for its turn is held in memory; the rest is read from the store when its turn comes. */
export const waitingBytes = 64 * 1024 * 1024;

/** Whoever calls it lets `closing` close what was made. */
export function createRunningSources(options: RunningSourcesOptions): RunningSources {
  const { store, signals, emitters, settings, clock, log, closing, report } = options;
  const now = () => clock.now();
  const isElsewhere = (id: string): boolean => emitters.get(id) === undefined;

  const listeners = new Listeners({
    subscriptions: () => store.subscriptions.all(),
    listens: (id) => {
      if (kindOf(id) === 'webhook') return store.webhooks.get(id)?.active === true;
      // One that is switched off has a row that says so (P25.3).
      if (kindOf(id) === 'workflow') return store.workflows.get(id) !== undefined;
      if (isElsewhere(id)) return store.sources.get(id)?.active === true;
      return instances.running(id) !== undefined;
    },
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
    inFlight: () => invocations.inFlight + (options.workflows()?.inFlight ?? 0),
    changed: () => {
      for (const { runner } of instances.all()) runner.startNext();
      options.workflows()?.startNext();
    },
  });
  const instances: Instances = new Instances({
    store,
    openHost: options.openHost,
    configuration: options.configuration,
    freshen: options.freshen,
    httpConcurrency,
    gate: probation,
    idleMs: settings['run.idleSeconds'] * 1000,
    clock,
  });
  const invocations: Invocations = new Invocations({
    store,
    probation,
    unauthorized: (id) => {
      const source = store.sources.get(id);
      if (source !== undefined) options.unauthorized(source);
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
    triggered: (runs) => triggered(runs),
    ...(options.elsewhere && { elsewhere: options.elsewhere }),
  });
  closing.push(() => invocations.close());
  closing.push(() => probation.close());

  const { leftToOthers } = options;
  const triggered = (runs: CommittedInvocation['triggered']): void => {
    const isOfWorkflow = ({ emitterId }: { readonly emitterId: string }) =>
      kindOf(emitterId) === 'workflow';
    invocations.runTriggered(runs.filter((one) => !isOfWorkflow(one)));
    options.workflows()?.triggered(runs.filter(isOfWorkflow));
    if (leftToOthers === undefined) return;
    const left = runs.map(({ emitterId }) => emitterId).filter(isElsewhere);
    if (left.length > 0) leftToOthers([...new Set(left)]);
  };

  const dueEmits = new DueEmits({
    store,
    emitters,
    clock,
    emit: (emitter, emits) => invocations.emitDue(emitter, emits),
    failed: (emitterId, error) => {
      // It was deleted meanwhile, or the store failed and has said so.
      if (WeirError.is(error, 'not_found') || WeirError.is(error, 'store_failed')) return;
      report(`${emitterId}: what was due could not be emitted`, error);
    },
  });
  signals.on('committed', ({ commit }) => {
    if (commit.scheduled !== undefined) dueEmits.changed();
  });
  closing.push(() => dueEmits.close());

  const tickIsStored = (sourceId: string, stored: Promise<void>): void => {
    stored.then(
      () => signals.emit(kindOf(sourceId) === 'workflow' ? 'workflow' : 'source', sourceId),
      (error: unknown) => tickNotStored(sourceId, error),
    );
  };
  // A store that failed has said so, once.
  const tickNotStored = (sourceId: string, error: unknown): void => {
    if (!WeirError.is(error, 'store_failed'))
      report(`${sourceId}: a tick could not be stored`, error);
  };
  const timers = new Timers({
    clock,
    fire: (sourceId, timer, nextAt) => {
      const trigger = timerTrigger(timer, now());
      const tick = { interfaceId: timer.id, nextAt };
      const runs = kindOf(sourceId) === 'workflow' ? options.workflows() : invocations;
      const accepted = runs?.accept(sourceId, { cause: 'timer', trigger, tick });
      if (accepted !== undefined) tickIsStored(sourceId, accepted.durable);
    },
    failed: tickNotStored,
    isRunning: (sourceId) =>
      instances.get(sourceId)?.runner.busy === true || store.unreachable !== undefined,
    skipped: (sourceId) =>
      log('info', `${sourceId}: a tick was left out because the run before it still goes on`),
    moved: (sourceId, interfaceId, nextAt) => {
      const emitter = emitters.require(sourceId);
      tickIsStored(sourceId, store.sources.setNextTick(emitter, interfaceId, nextAt));
    },
  });
  closing.push(() => timers.close());

  return { listeners, planner, instances, invocations, probation, dueEmits, timers, triggered };
}
