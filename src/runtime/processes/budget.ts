/** Which idle component processes a server ends before their time, so that many sources fit into its memory (no I/O). */

/** An idle component process, as the budget sees it. */
export interface IdleProcess {
  /** In ms of a clock that is never set. */
  readonly idleSince: number;
  /** Its emitter ran repeatedly lately, so it is likely to run again. */
  readonly isRegular: boolean;
}

export interface ProcessBudget {
  /** The most idle processes of emitters that run regularly. */
  readonly mostRegular: number;
  /** The most idle processes of other emitters: those that ran once, or not at all since they were deployed. */
  readonly mostOccasional: number;
}

/** Memory of an idle component process, in MB, with a small component. */
const processMb = 16;
/** Memory of the server itself, in MB, with its caches. */
const serverMb = 256;
const fewestRegular = 4;
const mostOccasional = 8;
/** A server with this much memory, in MB, or less keeps no process of an occasional emitter. */
const smallMb = 1024;

/**
 * Half of the memory that the server does not need itself is for idle processes of regular emitters. Processes of occasional
 * emitters are few on every server: a start costs 0.15 s of CPU, and a process that waits for nothing takes 13 MB for minutes.
 * @param memoryMb of the machine, of the container, or given by `--memory`
 */
export function budgetOf(memoryMb: number): ProcessBudget {
  const forIdle = Math.max(0, memoryMb - serverMb) / 2;
  return {
    mostRegular: Math.max(fewestRegular, Math.floor(forIdle / processMb)),
    mostOccasional: memoryMb <= smallMb ? 0 : mostOccasional,
  };
}

/** Returns the processes to end now: beyond the most of their kind, the ones that have been idle longest. */
export function processesToEnd<T extends IdleProcess>(
  idle: readonly T[],
  { mostRegular, mostOccasional: mostOthers }: ProcessBudget,
): T[] {
  const newestFirst = idle.toSorted((a, b) => b.idleSince - a.idleSince);
  return [
    ...newestFirst.filter(({ isRegular }) => isRegular).slice(mostRegular),
    ...newestFirst.filter(({ isRegular }) => !isRegular).slice(mostOthers),
  ];
}
