import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What a process and everything below it have used so far. */
export interface Usage {
  /** User and system time in ms, ended and awaited children included. */
  readonly cpuMs: number;
  /** Resident memory in bytes; pages shared between processes count once for each. */
  readonly rssBytes: number;
}

export interface ProcessSample extends Usage {
  readonly pid: number;
  readonly parent: number;
}

/** How CPU time is counted on this machine, for the report. */
export const cpuSource = existsSync('/proc/self/stat') ? '/proc/<pid>/stat' : 'ps';

/** Throws when `root` does not run any more. */
export function usageOfTree(root: number): Usage {
  const all = cpuSource === 'ps' ? sampleByPs() : sampleByProc();
  const tree = treeOf(all, root);
  if (tree.length === 0) throw new Error(`Process ${root} ended while it was measured.`);
  return {
    cpuMs: sum(tree.map((sample) => sample.cpuMs)),
    rssBytes: sum(tree.map((sample) => sample.rssBytes)),
  };
}

/**
 * Memory of a tree in which a page that processes share counts once, as a limit of a container counts it (Linux).
 * Throws when `root` does not run any more.
 */
export function memoryOfTree(root: number): number {
  const tree = treeOf(sampleByProc(), root);
  if (tree.length === 0) throw new Error(`Process ${root} ended while it was measured.`);
  return sum(
    tree.map(({ pid }) => {
      try {
        const [, kb = '0'] =
          /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
        return Number(kb) * 1024;
      } catch {
        return 0; // It ended between the listing and the read.
      }
    }),
  );
}

/** Of one process alone. Throws when it does not run any more. */
export function usageOfProcess(pid: number): Usage {
  const all = cpuSource === 'ps' ? sampleByPs() : sampleByProc();
  const found = all.find((sample) => sample.pid === pid);
  if (found === undefined) throw new Error(`Process ${pid} ended while it was measured.`);
  return found;
}

/** The process `root` and all its descendants. */
export function treeOf(all: readonly ProcessSample[], root: number): ProcessSample[] {
  const found = all.filter((sample) => sample.pid === root);
  // Grows while it is walked: each process found brings its children.
  for (const { pid } of found) found.push(...all.filter((sample) => sample.parent === pid));
  return found;
}

/** One line of /proc/<pid>/stat (proc(5)). The name in brackets may itself hold spaces and brackets. */
export function parseProcStat(line: string, pageBytes: number, tickMs: number): ProcessSample {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const [utime, stime, cutime, cstime] = [field(14), field(15), field(16), field(17)];
  return {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    cpuMs: (utime + stime + cutime + cstime) * tickMs,
    rssBytes: field(24) * pageBytes,
  };
}

/** One line of `ps -o pid=,ppid=,rss=,time=`; the time is `[[dd-]hh:]mm:ss[.ff]`. */
export function parsePs(line: string): ProcessSample {
  const [pid, parent, rssKb, time = ''] = line.trim().split(/\s+/);
  const [clock = '', days = '0'] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return {
    pid: Number(pid),
    parent: Number(parent),
    cpuMs: (Number(days) * 86_400 + seconds) * 1000,
    rssBytes: Number(rssKb) * 1024,
  };
}

function sampleByProc(): ProcessSample[] {
  const pageBytes = setting('PAGESIZE');
  const tickMs = 1000 / setting('CLK_TCK');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), pageBytes, tickMs);
      } catch {
        return []; // It ended between the listing and the read.
      }
    });
}

function sampleByPs(): ProcessSample[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' });
  return text.trim().split('\n').map(parsePs);
}

const settings = new Map<string, number>();

function setting(name: string): number {
  const known = settings.get(name);
  if (known !== undefined) return known;
  const value = Number(execFileSync('getconf', [name], { encoding: 'utf8' }));
  settings.set(name, value);
  return value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
