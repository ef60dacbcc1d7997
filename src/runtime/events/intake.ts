/** Triggers for an emitter, and the parts that accept them. */
import { WeirError } from '../../protocol/errors.ts';
import type { Trigger } from '../../protocol/host.ts';
import type { InvocationCause, NewInvocation } from '../store/history/invocations.ts';
import type { OwnedEmitter } from './owner/owned-emitters.ts';
import type { Committed } from './signals.ts';
import type { WaitingCaller } from './waiting-caller.ts';

/** A trigger as it comes in. */
export interface Incoming {
  /** Number of a trigger that another node has forwarded; a new number unless given. */
  readonly n?: number | undefined;
  readonly cause: InvocationCause;
  readonly trigger: Trigger;
  readonly caller?: WaitingCaller | undefined;
  /** Everything that a run of a source did is on disk. */
  readonly committed?: ((committed: Committed) => void) | undefined;
  readonly replayOf?: number | undefined;
  /** When the timer that made it ticks next: stored in one write with it. */
  readonly tick?: NewInvocation['tick'];
  /** The initial journal of an execution: the results of an earlier one. */
  readonly journal?: NewInvocation['journal'];
}

/** A row of the inbox that is about to run. */
export interface InboxEntry extends Omit<Incoming, 'tick'> {
  readonly n: number;
  readonly emitter: OwnedEmitter;
  /** Epoch ms. */
  readonly createdAt: number;
}

export interface Accepted {
  readonly n: number;
  /** Resolves when the trigger is in the inbox on disk: now the caller may get its answer. */
  readonly durable: Promise<void>;
}

/** Accepts triggers: the inbox itself, or on several nodes the part that forwards them to their owner. */
/** Whether nothing was taken in, for a reason that passes: the caller may send the same again. */
export function isRefusedForNow(error: unknown): boolean {
  return (['store_failed', 'runtime_unavailable', 'conflict'] as const).some((code) =>
    WeirError.is(error, code),
  );
}

export interface Intake {
  /** @throws WeirError('not_found') for an emitter that is not here, WeirError('store_failed') */
  accept(id: string, incoming: Incoming): Accepted;
  /** Keeps a trigger without running it. @param reason why; undefined: its caller asked for that */
  record(id: string, incoming: Incoming, reason?: string): Accepted;
}
