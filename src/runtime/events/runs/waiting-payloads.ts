/**
 * Waiting runs are in the inbox on disk. Up to a limit their payloads stay in memory as well, so that nothing is read
 * when their turn comes; beyond it a run is parked, and its payload is read then.
 */
import type { Trigger } from '../../../protocol/host.ts';

/** A run of a source, or an execution of a workflow. */
export interface WaitingRun {
  readonly isParked: boolean;
  readonly trigger?: Trigger | undefined;
  waitingBytes: number;
  /** Lets go of the payload. */
  park(): void;
}

export class WaitingPayloads {
  readonly #limit: number;
  #held = 0;

  /** @param limit of all that waits, in bytes of requests and characters of events */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The run waits from now on, parked if there is no room. */
  enter(run: WaitingRun): void {
    const size = run.isParked ? 0 : sizeOf(run.trigger);
    if (this.#held + size > this.#limit) {
      run.park();
      return;
    }
    this.#held += size;
    run.waitingBytes = size;
  }

  /** It waits no longer, if it did. */
  leave(run: WaitingRun): void {
    this.#held -= run.waitingBytes;
    run.waitingBytes = 0;
  }
}

function sizeOf(trigger: Trigger | undefined): number {
  if (trigger?.kind === 'http') return trigger.body.length;
  return trigger?.kind === 'event' ? trigger.json.length : 0;
}
