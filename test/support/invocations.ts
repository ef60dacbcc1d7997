/** The way of an event over a real store, without the rest of a runtime. Knows no test runner. */
import { systemClock } from '../../src/runtime/base/clock.ts';
import { createEmitIds } from '../../src/runtime/events/emit/emit-ids.ts';
import type { Audience } from '../../src/runtime/events/emit/listeners.ts';
import { EventPlanner } from '../../src/runtime/events/emit/planner.ts';
import { EmitterKinds, type KindTransfer } from '../../src/runtime/events/emitter-kind.ts';
import { Inbox } from '../../src/runtime/events/inbox.ts';
import type { OwnedEmitters } from '../../src/runtime/events/owner/owned-emitters.ts';
import { secureRandom } from '../../src/runtime/base/ids.ts';
import { Invocations, type InvocationsOptions } from '../../src/runtime/events/runs/invocations.ts';
import { Signals } from '../../src/runtime/events/signals.ts';
import { Probation } from '../../src/runtime/events/runs/probation.ts';
import type { Store } from '../../src/runtime/store/store.ts';

type Made = Partial<InvocationsOptions> & {
  readonly store: Store;
  readonly emitters: OwnedEmitters;
  /** Nobody listens unless said. */
  readonly listenersOf?: (emitterId: string, channel: string) => Audience;
};

/** One run of a source at a time, and no process for any of them unless `runnerOf` gives one. */
export function invocationsOf({ listenersOf, ...options }: Made): {
  readonly inbox: Inbox;
  readonly invocations: Invocations;
} {
  const kinds = new EmitterKinds();
  const inbox = new Inbox({ ...options, kinds, clock: systemClock });
  const log = () => undefined;
  const invocations: Invocations = new Invocations({
    probation: new Probation({
      store: options.store,
      clock: systemClock,
      log,
      inFlight: () => invocations.inFlight,
      changed: () => undefined,
    }),
    signals: new Signals(),
    planner: new EventPlanner({
      strategy: () => null,
      mostWaiting: { count: 1000, bytes: 1e6 },
      emitId: createEmitIds(secureRandom),
      listeners: { of: listenersOf ?? (() => ({ webhooks: [], triggers: [] })) },
    }),
    now: Date.now,
    clock: systemClock,
    log,
    httpConcurrency: 1,
    waitingBytes: 1e6,
    runnerOf: () => undefined,
    triggered: (runs) => inbox.triggered(runs),
    ...options,
  });
  kinds.add({
    prefix: 'dc',
    name: 'source',
    records: { get: () => undefined, all: () => [] },
    isRunning: () => false,
    keepsRefusedRequests: false,
    endpoint: () => undefined,
    listens: () => true,
    begin: (entry) => invocations.begin(entry),
    endUnstarted: (entry) => invocations.endUnstarted(entry),
    recover: (taken) => invocations.recover(taken),
    inFlight: 0,
    startNext: () => undefined,
    changed: () => undefined,
    transfer: {} as KindTransfer,
  });
  return { inbox, invocations };
}
