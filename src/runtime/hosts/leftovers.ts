import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What is remembered of a forked process. */
export interface HostRecord {
  readonly pid: number;
  /** Random text in its command line. */
  readonly mark: string;
}

/**
 * Ends processes that a runtime left behind when it was killed. A pid may belong to a stranger by
 * now: only a process that carries the mark in its command line is ended. Returns the pids it ended.
 */
export async function endLeftovers(records: readonly HostRecord[]): Promise<number[]> {
  const ended = await Promise.all(
    records.map(async ({ pid, mark }) => {
      const line = await commandLine(pid);
      return line.includes(markArgument(mark)) && kill(pid) ? [pid] : [];
    }),
  );
  return ended.flat();
}

/** How a mark is written in the command line. */
export function markArgument(mark: string): string {
  return `--host=${mark}`;
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself meanwhile.
    return false;
  }
}

/** Empty when there is no such process. */
async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const [program, ...args] =
      process.platform === 'win32'
        ? [
            'powershell',
            '-NoProfile',
            '-Command',
            `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
          ]
        : ['ps', '-ww', '-o', 'command=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)(program, args);
    return stdout;
  } catch {
    return '';
  }
}
