/** Takes triggers in at one of several nodes: an emitter that runs here gets them at once, that of another node by its owner. */
import { settledInTime } from '../base/settled-in-time.ts';
import type { TriggerForwarder } from '../cluster/trigger-forwarder.ts';
import type { Inbox } from '../events/inbox.ts';
import type { Accepted, Incoming, Intake } from '../events/intake.ts';
import type { UsesStore } from '../store/store.ts';
import type { HandOver } from './hand-over.ts';
import type { BaseServices } from '../base/services.ts';

export interface SharedIntakeOptions extends UsesStore<'unreachable'>, Pick<BaseServices, 'clock'> {
  readonly inbox: Inbox;
  readonly handOver: HandOver;
  readonly passingOn: TriggerForwarder;
}

export class SharedIntake implements Intake {
  readonly #options: SharedIntakeOptions;

  constructor(options: SharedIntakeOptions) {
    this.#options = options;
  }

  accept(id: string, incoming: Incoming): Accepted {
    const { store, clock, inbox, handOver, passingOn } = this.#options;
    // While the database does not answer, callers get this error and try again.
    if (store.unreachable !== undefined) throw store.unreachable;
    const { cause, trigger, replayOf, journal, caller = {} } = incoming;
    const isAnswered = caller.respond !== undefined;
    const passed = { cause, trigger, replayOf, journal, isAnswered, isRecorded: false };
    const { n, durable } = handOver.runsHere(id)
      ? inbox.accept(id, incoming)
      : passingOn.accept(id, passed, caller);
    return { n, durable: settledInTime(durable, clock, () => store.unreachable) };
  }

  record(id: string, incoming: Incoming, reason?: string): Accepted {
    const { inbox, handOver, passingOn } = this.#options;
    if (handOver.runsHere(id)) return inbox.record(id, incoming, reason);
    const { cause, trigger } = incoming;
    return passingOn.accept(
      id,
      { cause, trigger, isAnswered: false, isRecorded: true, reason },
      {},
    );
  }
}
