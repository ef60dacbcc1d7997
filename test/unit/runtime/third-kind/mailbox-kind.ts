/** A third kind of emitter, whole: everything that `src` would need for it, which knows nothing of it. */
import type { EmitterKind } from '../../../../src/runtime/events/emitter-kind.ts';
import type { Deliveries } from '../../../../src/runtime/events/delivery/deliveries.ts';
import type { EventPlanner } from '../../../../src/runtime/events/emit/planner.ts';
import type { Inbox } from '../../../../src/runtime/events/inbox.ts';
import type { InboxEntry } from '../../../../src/runtime/events/intake.ts';
import type { Store } from '../../../../src/runtime/store/store.ts';

export interface MailboxKindOptions {
  readonly store: Store;
  readonly planner: EventPlanner;
  readonly deliveries: Deliveries;
  readonly inbox: Inbox;
}

/** Ids begin with `mb_`. Its runner emits what comes in, at once. */
export function mailboxKind({
  store,
  planner,
  deliveries,
  inbox,
}: MailboxKindOptions): EmitterKind {
  const run = ({ n, emitter, trigger, createdAt }: InboxEntry): void => {
    const event = trigger.kind === 'event' ? trigger.json : 'null';
    const { events, drops } = planner.plan(emitter, [{ event, at: createdAt }], createdAt);
    const commit = {
      n,
      emitterId: emitter.id,
      fence: emitter.fence,
      status: 'succeeded',
      startedAt: createdAt,
      endedAt: createdAt,
      events,
      drops,
      db: [],
      logs: [],
    } as const;
    void store.commit(commit).then((made) => {
      deliveries.enqueue(made.deliveries);
      inbox.triggered(made.triggered);
    });
  };
  return {
    prefix: 'mb',
    name: 'mailbox',
    records: { get: () => ({ name: 'Mailbox' }), all: () => [{ id: 'mb_1', name: 'Mailbox' }] },
    isRunning: () => false,
    keepsRefusedRequests: false,
    inFlight: 0,
    endpoint: (id) =>
      id === 'hi_mailbox' ? { emitterId: 'mb_1', prop: 'mail', customResponse: false } : undefined,
    listens: () => true,
    begin: run,
    endUnstarted: () => undefined,
    recover: (taken) => {
      for (const { emitter, unfinished } of taken) {
        for (const { record } of unfinished) {
          const { n, cause, createdAt } = record;
          // What is left in the inbox comes without its payload.
          void store.invocations.trigger(n).then((trigger) => {
            if (trigger !== undefined) run({ n, emitter, cause, trigger, createdAt });
          });
        }
      }
    },
    startNext: () => undefined,
    changed: () => undefined,
    transfer: {
      prepare: () => Promise.resolve(() => undefined),
      arrived: () => undefined,
      beginTransfer: () => undefined,
      isIdle: () => true,
      endRuns: () => undefined,
      cancelTransfer: () => undefined,
      transferredOut: () => undefined,
    },
  };
}
