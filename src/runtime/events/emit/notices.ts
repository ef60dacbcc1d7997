/**
 * What a run emits beside its events, on the platform's reserved channels (P18.4): `$errors` if it failed, `$logs` with
 * its log lines. Both are made only if somebody listens: the error is in the log and in the invocation anyway. The
 * errors of a workflow have a list of their own (`workflows.errors`) and are always made.
 *
 * The payload of `$errors` is P18.5, with the values of a source instead of those of a workflow (no `cellId`). The
 * payload of `$logs` is documented nowhere, so it is our decision: one per run (P18.6).
 */
import { isUtf8 } from 'node:buffer';
import type { ThrownError, Trigger } from '../../../protocol/host.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { timerEvent } from '../../../protocol/timer-event.ts';
import type { NewLog } from '../../store/history/logs.ts';

export const reservedChannels = ['$errors', '$logs'] as const;
export type ReservedChannel = (typeof reservedChannels)[number];

export interface EndedRun {
  readonly n: number;
  readonly emitterId: string;
  /** Absent when its caller asked that nothing of it be stored. */
  readonly trigger: Trigger | undefined;
  readonly cause: string;
  readonly attempt: number;
  /** Hops of its trigger; 0 unless an event started it. */
  readonly hops: number;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: string;
  readonly error?: ThrownError | undefined;
  readonly logs: readonly NewLog[];
  /** Of an execution: `$.context` instead of the facts of a run. */
  readonly context?: object;
  /** Of an execution: the name of the step that failed. */
  readonly cellId?: string;
}

export interface Notice {
  readonly summary: string;
  /** JSON text. */
  readonly payload: string;
}

/** Undefined when the run has nothing to tell on this channel. */
export function noticeOn(channel: ReservedChannel, run: EndedRun): Notice | undefined {
  const { error, logs } = run;
  if (channel === '$logs') {
    const last = logs.at(-1);
    return last && { summary: last.text, payload: textOf(() => logsPayload(run)) };
  }
  if (error === undefined) return undefined;
  const summary = `${error.name}: ${error.message}`;
  return { summary, payload: textOf(() => errorPayload(run, error)) };
}

/** The JSON text of a notice. If it is too long, because the run had an event of such a size, the event is left out. */
function textOf(payload: () => object): string {
  try {
    return JSON.stringify(payload());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ error: { code: 'TooLong', message: 'This is too long to be told.' } });
  }
}

function errorPayload(run: EndedRun, error: ThrownError): object {
  return {
    original_event: eventOf(run.trigger),
    original_context: contextOf(run),
    error: {
      code: error.name,
      ...(run.cellId !== undefined && { cellId: run.cellId }),
      message: error.message,
      ts: new Date(run.endedAt).toISOString(),
      ...(error.stack !== undefined && { stack: error.stack }),
    },
  };
}

function logsPayload(run: EndedRun): object {
  return {
    context: contextOf(run),
    status: run.status,
    logs: run.logs.map(({ at, kind, level, text }) => ({ ts: at, kind, level, text })),
  };
}

function contextOf({ n, emitterId, cause, attempt, startedAt, context }: EndedRun): object {
  if (context !== undefined) return context;
  const id = `inv_${n}`;
  return { id, source_id: emitterId, cause, attempt, ts: new Date(startedAt).toISOString() };
}

/** As far as it is known without the component's process: a request's body stays text. */
function eventOf(trigger: Trigger | undefined): unknown {
  switch (trigger?.kind) {
    case undefined:
      return null;
    case 'event':
      return trigger.json === '' ? {} : valueOfJson(trigger.json);
    case 'timer':
      return timerEvent(trigger);
    case 'http': {
      const { method, path, query, headers, url, clientIp, body } = trigger;
      const bytes = Buffer.from(body);
      const bodyRaw = bytes.toString('utf8');
      const event = { method, path, query, headers, bodyRaw, url, client_ip: clientIp };
      return isUtf8(bytes) ? event : { ...event, bodyBase64: bytes.toString('base64') };
    }
  }
}
