import type { HostResponse } from '../../protocol/host.ts';
import type { StoredStatus } from '../store/history/invocations.ts';

/** The caller of a trigger, for as long as it waits for what its run answers. A caller that waits for nothing is `{}`. */
export interface WaitingCaller {
  /** A run of a source calls `this.http.respond(…)`, an execution `$.respond(…)`: once at most (P7.42, P25.50). */
  readonly respond?: ((response: HostResponse) => Promise<void> | void) | undefined;
  /** Whether the caller's connection has ended. */
  readonly isGone?: (() => boolean) | undefined;
  /** An execution has ended, or waits, without a response; or the runtime stops first. */
  readonly unanswered?: ((why: 'ended' | 'paused' | 'stopping') => void) | undefined;
  /** An execution is paused, and that is on disk, whether it has responded or not. */
  readonly paused?: (() => void) | undefined;
  /** The run has ended, and that is on disk. */
  readonly ended?: ((status: StoredStatus) => void) | undefined;
  /** Its end could not be stored: the store failed, or the emitter is gone. */
  readonly failed?: ((error: unknown) => void) | undefined;
}
