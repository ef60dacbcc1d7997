/** Takes up what other nodes have left in the inboxes of emitters of this one: when they ring, and from time to time. */
import type { SharedStore } from '../store/shared.ts';
import type { BaseServices } from '../base/services.ts';

export interface QueuedRunsOptions extends Pick<BaseServices, 'clock'> {
  readonly shared: Pick<SharedStore, 'takeLeft'>;
  readonly run: (left: Awaited<ReturnType<SharedStore['takeLeft']>>) => void;
  /** Called with the error of a failed check; there will be another one. */
  readonly failed: (error: unknown) => void;
}

export interface QueuedRuns {
  /** Somebody has rung. */
  look(): void;
  close(): void;
}

/** Without a ring, in ms. */
const lookMs = 500;

export function claimQueuedRuns(options: QueuedRunsOptions): QueuedRuns {
  const { shared, clock, run, failed } = options;
  let cancel: () => void = () => undefined;
  const state = { isLooking: false, isAsked: false, isClosed: false };
  const look = async (): Promise<void> => {
    cancel();
    state.isAsked = true;
    if (state.isLooking || state.isClosed) return;
    state.isLooking = true;
    try {
      while (state.isAsked && !state.isClosed) {
        state.isAsked = false;
        const left = await shared.takeLeft();
        if (left.length > 0) {
          run(left);
          // There may be more.
          state.isAsked = true;
        }
      }
    } catch (error) {
      if (!state.isClosed) failed(error);
    } finally {
      state.isLooking = false;
    }
    if (!state.isClosed) cancel = clock.after(lookMs, () => void look());
  };
  cancel = clock.after(lookMs, () => void look());
  return {
    look: () => void look(),
    close() {
      state.isClosed = true;
      cancel();
    },
  };
}
