import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes that get no more memory than so much, page cache included; the kernel ends one that needs more. */
export interface MemoryLimit {
  /** Starts what is given behind it inside of the group. */
  readonly command: readonly string[];
  /** Processes that the kernel has ended so far. */
  killed(): number;
  /** Once all its processes have ended. */
  remove(): void;
}

const root = '/sys/fs/cgroup/memory';

/** Needs root and cgroups of version 1; undefined without them. */
export function limitMemory(megabytes: number): MemoryLimit | undefined {
  const group = join(root, `weir-bench-${process.pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(megabytes * 1024 * 1024));
  } catch {
    return undefined;
  }
  return {
    command: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs')],
    killed: () =>
      Number(
        /^oom_kill (\d+)$/m.exec(readFileSync(join(group, 'memory.oom_control'), 'utf8'))?.[1],
      ),
    remove: () => rmdirSync(group),
  };
}
