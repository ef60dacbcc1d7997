import type { WeirError } from '../../protocol/errors.ts';
import type { Clock } from './clock.ts';

const lookMs = 500;

/**
 * Follows the promise, unless there is a reason not to wait for it any longer: then it rejects with that reason. The
 * work itself continues.
 */
export function settledInTime(
  promise: Promise<void>,
  clock: Pick<Clock, 'after'>,
  unreachable: () => WeirError | undefined,
): Promise<void> {
  const settled = new Promise<void>((resolve, reject) => {
    let cancel: () => void;
    const wait = (): void => {
      cancel = clock.after(lookMs, () => {
        const reason = unreachable();
        if (reason === undefined) wait();
        else reject(reason);
      });
    };
    wait();
    promise.then(resolve, reject).finally(() => cancel());
  });
  // As with the promise itself, nobody has to wait: a run that gives the answer may never begin.
  settled.catch(() => undefined);
  return settled;
}
