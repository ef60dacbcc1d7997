import type { ChildProcess } from 'node:child_process';

/**
 * Ends a process with those that it started, such as git's helpers: one that stays keeps the pipes open, and whoever
 * waits for their end waits on. The process must have been started with `detached: ownGroup`.
 */
export function endGroup(child: Pick<ChildProcess, 'pid' | 'kill'>): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (!ownGroup) {
    child.kill();
    return;
  }
  try {
    process.kill(-pid);
  } catch {
    // It has ended by itself.
  }
}

/** Groups of processes are signalled together; Windows has none. */
export const ownGroup = process.platform !== 'win32';
