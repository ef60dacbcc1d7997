import type { ChildProcess } from 'node:child_process';

/**
 * Ends a process and the processes that it started, such as git's helpers: a remaining one would keep the pipes open,
 * and callers would wait for their end. The process must have been started with `detached: ownGroup`.
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
