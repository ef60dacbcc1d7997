/** How much memory a script takes, with all that it started. Linux tells; elsewhere nothing is known. */
import { readFileSync } from 'node:fs';

/** MB of the step's process, which hold for its script as well. Undefined where it has no limit. */
export function memoryLimit(execArgv: readonly string[] = process.execArgv): number | undefined {
  const given = execArgv.map((arg) => /^--max-old-space-size=(\d+)$/.exec(arg)?.[1]);
  const megabytes = Number(given.findLast((one) => one !== undefined));
  return Number.isNaN(megabytes) ? undefined : megabytes;
}

/** Resident MB of a process and those it started; 0 when it is gone, or nothing is known. */
export function residentMegabytes(root: number): number {
  let kilobytes = 0;
  const tree = [root];
  // Grows during the loop: each process adds its children.
  for (const pid of tree) {
    try {
      kilobytes += Number(/^VmRSS:\s*(\d+) kB/m.exec(read(pid, 'status'))?.[1] ?? 0);
      tree.push(...read(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number));
    } catch {
      // It has ended meanwhile.
    }
  }
  return kilobytes / 1024;
}

function read(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8');
}
