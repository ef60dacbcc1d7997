import { cpus, loadavg, type, release } from 'node:os';
import { cpuSource } from './process-tree.mts';

/** What a figure depends on besides the code. */
export interface Machine {
  readonly node: string;
  readonly system: string;
  readonly cores: number;
  readonly processor: string;
  /** Runnable processes over 1, 5 and 15 minutes when the measure began: above 1, others were using the machine. */
  readonly load: readonly number[];
  readonly cpu: string;
}

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    node: process.version,
    system: `${type()} ${release()}`,
    cores: cores.length,
    processor: cores[0]?.model.trim() ?? 'unknown',
    load: loadavg().map((value) => Math.round(value * 100) / 100),
    cpu: `user and system time of the peer's whole process tree, from ${cpuSource}`,
  };
}

/** For the head of a report. */
export function machineLine({ node, system, cores, processor, load }: Machine): string {
  return `Node ${node} · ${system} · ${cores} × ${processor} · load ${load.join(', ')}`;
}
