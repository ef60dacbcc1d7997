/**
 * What waits for its turn lies in the inbox on disk. Up to a limit its payload stays in memory as well, so
 * that nothing is read when its turn comes; beyond it a run is parked, and its payload is read back then.
 */
import type { Trigger } from '../../protocol/host.ts';
import type { Run } from './run.ts';

const nothing = (): void => undefined;

export class WaitingPayloads {
  readonly #limit: number;
  #held = 0;

  /** @param limit of all that waits, in bytes of requests and characters of events */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * The run waits from now on, parked if there is no room.
   * @returns is to be called when it waits no longer; again has no effect
   */
  enter(run: Run): () => void {
    const size = run.isParked ? 0 : sizeOf(run.trigger);
    if (size === 0) return nothing;
    if (this.#held + size > this.#limit) {
      run.park();
      return nothing;
    }
    this.#held += size;
    let held = size;
    return () => {
      this.#held -= held;
      held = 0;
    };
  }
}

function sizeOf(trigger: Trigger | undefined): number {
  if (trigger?.kind === 'http') return trigger.body.length;
  return trigger?.kind === 'event' ? trigger.json.length : 0;
}
