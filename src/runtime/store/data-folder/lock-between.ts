/** A lock that is waited for, between the runtimes of several data folders. */
import { WeirError } from '../../../protocol/errors.ts';
import { acquireLock, LockHeld } from './lock.ts';

const pollMs = 50;
/** Longer than any holder needs: a request to a provider is given up after half a minute. */
const longestMs = 45_000;

/**
 * Resolves with what gives the lock back. The system itself does when the process ends.
 * @param folder real path of a folder that is there for this lock alone
 * @param user who asks, for people who look
 * @throws WeirError `conflict` when another process does not give it back
 */
export async function lockBetween(folder: string, user: string): Promise<() => Promise<void>> {
  const until = performance.now() + longestMs;
  for (;;) {
    try {
      const lock = await acquireLock(folder);
      lock.hold({ pid: process.pid, user, since: new Date().toISOString() });
      return () => lock.release();
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      if (performance.now() > until) {
        const who =
          error.holder.pid === undefined ? 'Another process' : `Process ${error.holder.pid}`;
        throw new WeirError('conflict', `${who} does not give back ${folder}: end it if it hangs.`);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
