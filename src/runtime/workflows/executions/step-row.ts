/** From a run of a step that has ended to its row in the journal (pure). */
import type { ThrownError } from '../../../protocol/host.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { NewStepRun } from '../../store/history/executions.ts';
import type { NewLog } from '../../store/history/logs.ts';
import { handedOn } from './step-outcome.ts';

/** Which run of which step. */
export interface EndedRun {
  readonly path: string;
  readonly namespace: string;
  readonly run: number;
  readonly attempt: number;
  /** Epoch ms. */
  readonly startedAt: number;
}

/** The columns that a row gets from its execution. */
export interface RowPlace {
  /** Its number in the journal. */
  readonly seq: number;
  readonly leg: number;
  /** Epoch ms. */
  readonly endedAt: number;
  /** False where only that it ran is kept (P25.5). */
  readonly keepsLogs: boolean;
  /** Hides the values of environment variables (W50). */
  readonly mask: (text: string) => string;
}

/** A row as of a step that succeeded; callers override what differs. */
export function rowOf(
  { path, namespace, run, attempt, startedAt }: EndedRun,
  outcome: Outcome,
  error: ThrownError | null,
  { seq, leg, endedAt, keepsLogs, mask }: RowPlace,
): NewStepRun {
  const logs: NewLog[] = [];
  if (keepsLogs) {
    for (const line of outcome.logs) logs.push({ ...line, text: mask(line.text), kind: 'console' });
    if (error !== null) {
      const text = mask(error.stack ?? `${error.name}: ${error.message}`);
      logs.push({ at: endedAt, kind: 'error', level: 'error', text });
    }
  }
  const { exports, returnValue } = handedOn(outcome);
  return {
    seq,
    path,
    namespace,
    run,
    attempt,
    status: 'succeeded',
    startedAt,
    endedAt,
    leg,
    exports,
    returnValue: returnValue ?? null,
    decision: null,
    error,
    pause: null,
    sends: null,
    props: null,
    logs,
  };
}
