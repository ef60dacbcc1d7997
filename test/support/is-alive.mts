import { readFileSync } from 'node:fs';

/** Whether there is a process of this pid; one that ended and that nobody has waited for is none. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch (error) {
    // Where there is no /proc, the signal alone tells.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}
