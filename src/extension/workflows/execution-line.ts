import { isUnfinished } from '../../client/past-executions.ts';
import type { Execution, ExecutionStatus } from '../../protocol/catalogue.ts';
import { formatDuration } from '../views/invocation-line.ts';
import { relativeTime, tokens, type Line } from '../views/line.ts';

const causes: Record<Execution['cause'], string> = {
  http: 'Request',
  timer: 'Tick',
  event: 'Event',
  workflow: 'Started by a workflow',
  manual: 'Run by hand',
  replay: 'Replay',
  hook: 'Hook',
};

export interface Look {
  readonly icon: string;
  readonly colour?: string;
}

const look: Record<ExecutionStatus, Look> = {
  queued: { icon: 'watch' },
  running: { icon: 'loading~spin' },
  paused: { icon: 'debug-pause', colour: 'weir.paused' },
  succeeded: { icon: 'pass', colour: 'weir.succeeded' },
  failed: { icon: 'error', colour: 'weir.failed' },
  crashed: { icon: 'flame', colour: 'weir.failed' },
  timed_out: { icon: 'error', colour: 'weir.failed' },
  cancelled: { icon: 'circle-slash', colour: 'weir.inactive' },
  dropped: { icon: 'circle-slash', colour: 'weir.inactive' },
};

/** An execution: what started it, how it ended or how long it still waits, how long it took. */
export function executionLine(execution: Execution, now: number): Line {
  const { status, request } = execution;
  const label = titleOfExecution(execution);
  const description = [
    stateInWords(execution, now),
    durationOfExecution(execution),
    relativeTime(execution.ended_at ?? execution.started_at ?? execution.created_at, now),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label,
    description,
    ...look[status],
    contextValue: tokens(
      'execution',
      status,
      isUnfinished(execution) ? 'unfinished' : undefined,
      request === null ? undefined : 'http',
    ),
    accessible: `${label}, execution, ${status}, ${description}`,
  };
}

/** The trigger of an execution: "POST /orders", "Tick", "Replay of POST /orders", "Test". */
export function titleOfExecution({
  cause,
  request,
  test,
}: Pick<Execution, 'cause' | 'request' | 'test'>): string {
  if (request === null) return test ? 'Test' : causes[cause];
  const line = `${request.method} ${request.path}`;
  if (test) return `Test of ${line}`;
  return cause === 'replay' ? `Replay of ${line}` : line;
}

/** How it ended or what it waits for, in a few words; undefined where its icon says it all. */
export function stateInWords(execution: Execution, now: number): string | undefined {
  const { status, error, reason, resumes_at: resumesAt } = execution;
  if (status === 'paused') {
    return resumesAt === null ? 'waits to be resumed' : `due ${relativeTime(resumesAt, now)}`;
  }
  if (error !== null) return `${error.name}: ${firstLine(error.message)}`;
  if (status === 'succeeded') return reason === null ? undefined : `ended early: ${reason}`;
  const words = status.replace('_', ' ');
  return reason === null ? words : `${words}: ${firstLine(reason)}`;
}

/** "14 ms", "2.3 s" with its pauses; undefined until it has ended. */
export function durationOfExecution({ started_at, ended_at }: Execution): string | undefined {
  if (started_at === null || ended_at === null) return undefined;
  return formatDuration(ended_at - started_at);
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
