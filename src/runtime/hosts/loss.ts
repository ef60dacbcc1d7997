import type { FromHost, ThrownError } from '../../protocol/host.ts';
import type { Loss } from './host.ts';

export type Ending = Extract<FromHost, { t: 'ending' }>;

/** What is known when a host's process is gone. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
  /** What it said itself, right before. */
  readonly ending: Ending | null;
  /** Why this runtime ended it; null when it did not. */
  readonly ended:
    | { readonly cause: 'timeout'; readonly n: number; readonly timeoutMs: number }
    | { readonly cause: 'killed'; readonly reason: string }
    | null;
  readonly memoryMb: number;
}

/** V8's last sentence before it aborts. */
const outOfMemory =
  /JavaScript heap out of memory|Reached heap limit|Array buffer allocation failed/;

/** Signals a process brings upon itself. */
const ownSignals: ReadonlySet<string | null> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
]);

/**
 * Why piece of work `n` was lost. It is the culprit when it is known to be: named by the host, over
 * its time, or alone in a process that failed by itself.
 */
export function lossOf(exit: Exit, n: number, alone: boolean): Loss {
  const { ended, ending } = exit;
  if (ended?.cause === 'timeout') {
    const seconds = Number((ended.timeoutMs / 1000).toFixed(1));
    const message = `ran longer than ${seconds} s`;
    return { cause: 'timeout', message, culprit: ended.n === n };
  }
  if (ended?.cause === 'killed') {
    return { cause: 'killed', message: ended.reason, culprit: false };
  }
  if (ending !== null) {
    const { cause, message, stack } = ending;
    const culprit = ending.n === n;
    return { cause, message, culprit, ...(stack === undefined ? {} : { stack }) };
  }
  if (outOfMemory.test(exit.stderr)) {
    const message = `used more than ${exit.memoryMb} MB of memory`;
    return { cause: 'memory', message, culprit: alone };
  }
  if (exit.signal !== null) {
    const message = `its process was ended by ${exit.signal}${lastLine(exit.stderr)}`;
    return { cause: 'signal', message, culprit: alone && ownSignals.has(exit.signal) };
  }
  const message = `its process ended with exit code ${exit.code ?? 'unknown'}${lastLine(exit.stderr)}`;
  return { cause: 'exit', message, culprit: alone };
}

function lastLine(stderr: string): string {
  const line = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `: ${line.slice(0, 500)}`;
}

/** A lost process as the error of what ran in it. */
export function lossError(loss: Loss): ThrownError {
  return {
    name: errorName[loss.cause],
    message: loss.message,
    ...(loss.stack === undefined ? {} : { stack: loss.stack }),
  };
}

const errorName: Readonly<Record<Loss['cause'], string>> = {
  timeout: 'Timeout',
  exit: 'ProcessExit',
  memory: 'OutOfMemory',
  uncaught: 'UncaughtError',
  signal: 'ProcessKilled',
  killed: 'Cancelled',
};
