/** Waits for executions. */
import type { ApiServices } from './api-services.ts';
import type { Committed } from '../../events/signals.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Services } from '../../events/services.ts';

export interface WaitParts
  extends UsesStore<'invocations'>, Pick<Services, 'signals'>, Pick<ApiServices, 'executions'> {
  /** Calls back after so many ms, unless what it returns is called before. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/** How often to look, in ms, because another node may not have announced the end. */
const lookMs = 1000;

/** Resolves when an execution has ended, is paused, is gone, or the caller has left. */
export async function waitForEnd(
  { store, executions, signals, after }: WaitParts,
  n: number,
  left: AbortSignal,
): Promise<void> {
  const isOver = async (): Promise<boolean> => {
    const stored = await store.invocations.get(n);
    if (stored === undefined) return true;
    // A row can be read before it is on disk.
    const { endedAt, status } = (await executions.live(stored))?.record ?? stored;
    return endedAt !== null || status === 'paused';
  };
  let wake: () => void = () => undefined;
  const committed = ({ commit }: Committed): void => {
    if (commit.n === n) wake();
  };
  const deleted = (): void => wake();
  const abort = (): void => wake();
  signals.on('committed', committed);
  signals.on('emitterDeleted', deleted);
  left.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      // Before it is looked at: what ends meanwhile is not missed.
      const changed = new Promise<void>((resolve) => (wake = resolve));
      if (left.aborted || (await isOver())) return;
      const cancel = after(lookMs, wake);
      await changed;
      cancel();
    }
  } finally {
    signals.off('committed', committed);
    signals.off('emitterDeleted', deleted);
    left.removeEventListener('abort', abort);
  }
}
