/** How requests to the endpoints of sources are taken in, whichever node runs them. */
import type { HttpTrigger } from '../../protocol/host.ts';
import type { Clock } from '../clock.ts';
import type { Accepted, Invocations } from '../invocations/invocations.ts';
import { settledInTime } from '../settled-in-time.ts';
import type { Store } from '../store/store.ts';
import type { HttpCaller } from '../triggers/http/accept.ts';
import type { Sharing } from './sharing.ts';

export interface SourceAcceptanceOptions {
  readonly store: Pick<Store, 'unreachable'>;
  readonly clock: Clock;
  readonly invocations: Pick<Invocations, 'accept' | 'record'>;
  /** Undefined where no other node runs anything, and the store is a file. */
  readonly elsewhere: Pick<Sharing, 'passingOn' | 'handOver'> | undefined;
}

export interface SourceAcceptance {
  accept(id: string, trigger: HttpTrigger, caller: HttpCaller): Accepted;
  /** Kept, and not run. */
  record(id: string, trigger: HttpTrigger): Accepted;
  /** Of a server that does not answer callers are told so, and try again; on a disk nothing waits. */
  inTime(accept: () => Accepted): Accepted;
}

export function sourceAcceptance(options: SourceAcceptanceOptions): SourceAcceptance {
  const { store, clock, invocations, elsewhere } = options;
  const inTime = (accept: () => Accepted): Accepted => {
    if (elsewhere === undefined) return accept();
    if (store.unreachable !== undefined) throw store.unreachable;
    const { n, durable } = accept();
    return { n, durable: settledInTime(durable, clock, () => store.unreachable) };
  };
  const cause = 'http';
  return {
    inTime,
    accept: (id, trigger, { respond, ended, failed }) =>
      inTime(() => {
        if (elsewhere !== undefined && !elsewhere.handOver.runsHere(id)) {
          const isAnswered = respond !== undefined;
          const comingIn = { cause, trigger, isAnswered, isRecorded: false } as const;
          return elsewhere.passingOn.accept(id, comingIn, { respond, ended, failed });
        }
        return invocations.accept(id, {
          cause,
          trigger,
          caller: {
            ...(respond !== undefined && { respond }),
            ...(ended !== undefined && { ended: ({ commit }) => ended(commit.status) }),
            ...(failed !== undefined && { failed }),
          },
        });
      }),
    record: (id, trigger) => {
      if (elsewhere === undefined || elsewhere.handOver.runsHere(id)) {
        return invocations.record(id, trigger, cause);
      }
      const comingIn = { cause, trigger, isAnswered: false, isRecorded: true } as const;
      return elsewhere.passingOn.accept(id, comingIn, {});
    },
  };
}
