/** A trigger for a source or workflow that runs here becomes an invocation. */
import { kindOf } from '../../protocol/ids.ts';
import type { Accepted, Invocations } from '../events/runs/invocations.ts';
import type { HttpCaller } from '../events/triggers/http/accept.ts';
import type { WaitingCaller } from '../cluster/passing-on.ts';
import type { Executions, IncomingExecution } from '../workflows/executions/executions.ts';

/** Of a source neither a replay nor a journal. */
export type TakenIn = Omit<IncomingExecution, 'caller' | 'tick'>;

export interface AcceptHere {
  /** @throws WeirError('not_found') for one that does not run here, WeirError('store_failed') */
  accept(id: string, taken: TakenIn, caller: WaitingCaller & Pick<HttpCaller, 'isGone'>): Accepted;
  /** Kept, and not run. @param reason why, where it is a workflow's and nobody asked for it */
  record(
    id: string,
    taken: Pick<TakenIn, 'n' | 'cause' | 'trigger'>,
    reason: string | undefined,
  ): Accepted;
}

export function createAcceptHere(
  invocations: Pick<Invocations, 'accept' | 'record'>,
  executions: Pick<Executions, 'accept' | 'record'>,
): AcceptHere {
  return {
    accept(id, taken, { respond, unanswered, isGone, ended, failed, over }) {
      if (kindOf(id) === 'workflow') {
        return executions.accept(id, {
          ...taken,
          caller: {
            ...(respond !== undefined && { respond }),
            ...(unanswered !== undefined && { unanswered }),
            ...(isGone !== undefined && { isGone }),
            ...(failed !== undefined && { failed }),
            ...(over !== undefined && { ended: over, paused: over }),
          },
        });
      }
      const { n, cause, trigger } = taken;
      return invocations.accept(id, {
        n,
        cause,
        trigger,
        caller: {
          ...(respond !== undefined && { respond }),
          ...(ended !== undefined && { ended: ({ commit }) => ended(commit.status) }),
          ...(failed !== undefined && { failed }),
        },
      });
    },
    record: (id, { n, cause, trigger }, reason) =>
      kindOf(id) === 'workflow'
        ? executions.record(id, trigger, reason, n)
        : invocations.record(id, trigger, cause, n),
  };
}
