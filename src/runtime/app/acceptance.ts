/** How requests to endpoints are taken in, whichever node runs what they are for. */
import type { HttpTrigger } from '../../protocol/host.ts';
import type { Clock } from '../base/clock.ts';
import type { Accepted } from '../events/runs/invocations.ts';
import { settledInTime } from '../base/settled-in-time.ts';
import type { Store } from '../store/store.ts';
import type { HttpCaller } from '../events/triggers/http/accept.ts';
import type { AcceptHere } from './accept-here.ts';
import type { Sharing } from './sharing.ts';

export interface AcceptanceOptions {
  readonly store: Pick<Store, 'unreachable'>;
  readonly clock: Clock;
  readonly here: AcceptHere;
  /** Undefined where no other node runs anything, and the store is a file. */
  readonly elsewhere: Pick<Sharing, 'passingOn' | 'handOver'> | undefined;
}

export interface Acceptance {
  accept(id: string, trigger: HttpTrigger, caller: HttpCaller): Accepted;
  /** Kept, and not run. @param reason see `AcceptHere` */
  record(id: string, trigger: HttpTrigger, reason?: string): Accepted;
}

export function createAcceptance({ store, clock, here, elsewhere }: AcceptanceOptions): Acceptance {
  const cause = 'http';
  if (elsewhere === undefined) {
    return {
      accept: (id, trigger, caller) => here.accept(id, { cause, trigger }, caller),
      record: (id, trigger, reason) => here.record(id, { cause, trigger }, reason),
    };
  }
  const { handOver, passingOn } = elsewhere;
  return {
    accept(id, trigger, caller) {
      // Of a server that does not answer callers are told so, and try again.
      if (store.unreachable !== undefined) throw store.unreachable;
      const isAnswered = caller.respond !== undefined;
      const { n, durable } = handOver.runsHere(id)
        ? here.accept(id, { cause, trigger }, caller)
        : passingOn.accept(id, { cause, trigger, isAnswered, isRecorded: false }, caller);
      return { n, durable: settledInTime(durable, clock, () => store.unreachable) };
    },
    record: (id, trigger, reason) =>
      handOver.runsHere(id)
        ? here.record(id, { cause, trigger }, reason)
        : passingOn.accept(id, { cause, trigger, isAnswered: false, isRecorded: true, reason }, {}),
  };
}
