/** Which process Linux ends when memory runs out: that of a component, and not the server. */
import { readFile, writeFile } from 'node:fs/promises';

/** The most that Linux takes: such a process is ended before all others. */
const most = 1000;
/** As if a component used this many thousandths of the memory more than it does. */
const more = 500;

/**
 * The `oom_score_adj` of a component process: above that of the runtime, which an operator may have set.
 * @param own that of the runtime, as the text of its file
 */
export function componentOomScore(own: string): number {
  const score = Number.parseInt(own, 10);
  return Math.min(most, (Number.isNaN(score) ? 0 : score) + more);
}

/** Has Linux end this process before the runtime. Does nothing where the system has no such score, or refuses it. */
export async function endBeforeRuntime(pid: number): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    const own = await readFile('/proc/self/oom_score_adj', 'latin1');
    await writeFile(`/proc/${pid}/oom_score_adj`, String(componentOomScore(own)));
  } catch {
    // It has ended meanwhile, or a sandbox does not show the file: the kernel decides by size alone.
  }
}
