import type { FromHost, ThrownError } from '../../protocol/host.ts';
import type { Violation } from './child.ts';
import type { ProcessExit } from './host.ts';

/** Why a host is about to end, by its own account. */
export type ExitReport = Extract<FromHost, { t: 'ending' }>;

/** Facts about the end of a host's process. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
  /** Null when it sent none. */
  readonly report: ExitReport | null;
  /** Why this runtime killed it; null when it did not. */
  readonly killed:
    | { readonly cause: 'timeout'; readonly n: number; readonly timeoutMs: number }
    | { readonly cause: 'output'; readonly n: number; readonly outputMb: number }
    | { readonly cause: 'stopped'; readonly n: number }
    | { readonly cause: 'killed'; readonly reason: string }
    | null;
  /** The message that no component host sends; null if there was none. */
  readonly violation: Violation | null;
  readonly memoryMb: number;
}

/** V8's last sentence before it aborts. */
const outOfMemory =
  /JavaScript heap out of memory|Reached heap limit|Array buffer allocation failed/;

/** Signals that a process causes itself. */
const ownSignals: ReadonlySet<string | null> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
]);

/**
 * Why piece of work `n` was lost. It is at fault when it is known to be: named by the host, over its
 * time or its output, or alone in a process that failed by itself.
 * @param alone nothing else was in flight
 */
export function toProcessExit(exit: Exit, n: number, alone: boolean): ProcessExit {
  const { killed, report, violation } = exit;
  if (killed?.cause === 'timeout') {
    const seconds = Number((killed.timeoutMs / 1000).toFixed(1));
    const message = `ran longer than ${seconds} s`;
    return { cause: 'timeout', message, atFault: killed.n === n };
  }
  if (killed?.cause === 'output') {
    return { cause: 'output', message: tooMuchOutput(killed.outputMb), atFault: killed.n === n };
  }
  if (killed?.cause === 'stopped') return stoppedExit(killed.n === n);
  if (killed?.cause === 'killed') {
    return { cause: 'killed', message: killed.reason, atFault: false };
  }
  if (violation !== null) {
    const message = `its process sent ${violation.what}, which no component host sends`;
    const atFault = violation.n === null ? alone : violation.n === n;
    return { cause: 'protocol', message, atFault };
  }
  if (report !== null) {
    const { cause, message, stack } = report;
    const atFault = report.n === n;
    return { cause, message, atFault, ...(stack === undefined ? {} : { stack }) };
  }
  if (outOfMemory.test(exit.stderr)) {
    const message = `used more than ${exit.memoryMb} MB of memory`;
    return { cause: 'memory', message, atFault: alone };
  }
  if (exit.signal !== null) {
    const message = `its process was ended by ${exit.signal}${lastLine(exit.stderr)}`;
    return { cause: 'signal', message, atFault: alone && ownSignals.has(exit.signal) };
  }
  const message = `its process ended with exit code ${exit.code ?? 'unknown'}${lastLine(exit.stderr)}`;
  return { cause: 'exit', message, atFault: alone };
}

function tooMuchOutput(outputMb: number): string {
  return `produced more than ${outputMb} MB of events, db, log lines and exports (setting run.outputMb)`;
}

/** @param itself false for what was in flight beside the one that a person stopped */
export function stoppedExit(itself: boolean): ProcessExit {
  const message = itself ? 'was stopped by hand' : 'its process was ended to stop another run';
  return { cause: 'stopped', message, atFault: itself };
}

function lastLine(stderr: string): string {
  const line = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `: ${line.slice(0, 500)}`;
}

/** A lost process as the error of what ran in it. */
export function toExitError(loss: ProcessExit): ThrownError {
  return {
    name: errorName[loss.cause],
    message: loss.message,
    ...(loss.stack === undefined ? {} : { stack: loss.stack }),
  };
}

const errorName: Readonly<Record<ProcessExit['cause'], string>> = {
  timeout: 'Timeout',
  exit: 'ProcessExit',
  memory: 'OutOfMemory',
  uncaught: 'UncaughtError',
  signal: 'ProcessKilled',
  killed: 'Cancelled',
  output: 'OutputLimit',
  protocol: 'ProtocolError',
  stopped: 'Cancelled',
};
