/** Tables of the history and of what emitters keep: read by promises, written on the hot path. */
import { formatEventId, parseEventId } from '../event-id.ts';
import type { ActionRunRecord, WholeActionRun } from '../history/action-runs.ts';
import type { DeliveryRecord } from '../history/deliveries.ts';
import type { EventRecord } from '../history/events.ts';
import type { ExecutionState, StepRequestsRecord } from '../history/executions.ts';
import type { InvocationRecord } from '../history/invocations.ts';
import type { LogRecord } from '../history/logs.ts';
import type { ScheduledEmit } from '../history/scheduled-emits.ts';
import type { SendRecord } from '../history/sends.ts';
import type { StepRun } from '../history/step-runs.ts';
import { shownStatus } from '../history/suspicion.ts';
import type { StreamMessage } from '../history/streams.ts';
import {
  type Column,
  composed,
  emitter,
  int,
  json,
  named,
  nullable,
  real,
  text,
  word,
} from './column.ts';
import { recordTable, rowTable } from './table.ts';

const columns = {
  int: { type: 'bigint' },
  text: { type: 'text' },
  nullableInt: { type: 'bigint', nullable: true },
  nullableText: { type: 'text', nullable: true },
  nullableReal: { type: 'float8', nullable: true },
  nullableBytes: { type: 'bytea', nullable: true },
} as const satisfies Record<string, Column>;

/** A text or a number, and read back as what it was. SQLite has both in one column. */
const dedupeId = composed<string | number | null>(
  {
    dedupe_text: {
      ...columns.nullableText,
      sqlite: `CASE typeof(dedupe_id) WHEN 'text' THEN dedupe_id END`,
    },
    dedupe_number: {
      ...columns.nullableReal,
      sqlite: `CASE WHEN typeof(dedupe_id) IN ('integer', 'real') THEN dedupe_id END`,
    },
  },
  (row) => (row['dedupe_text'] ?? row['dedupe_number'] ?? null) as string | number | null,
  (id) => ({
    dedupe_text: typeof id === 'string' ? id : null,
    dedupe_number: typeof id === 'number' ? id : null,
  }),
);

/** Id of an event, from both of its numbers. */
const eventId = composed<string>(
  { ms: columns.int, seq: columns.int },
  (row) => formatEventId({ ms: row['ms'] as number, seq: row['seq'] as number }),
  (id) => ({ ...parseEventId(id) }),
);

const dedupeIdOfSqlite = {
  // Without a type, so that it keeps what it is given.
  dedupe_id: { type: 'bytea', nullable: true, only: 'sqlite' },
} as const satisfies Record<string, Column>;

/** In PostgreSQL a view of `accepted` and `ends`. `request` is made of the trigger there is. */
export const invocations = recordTable<InvocationRecord>(
  'invocations',
  {
    n: int,
    emitterId: emitter,
    cause: word(),
    hook: nullable(word()),
    request: composed<InvocationRecord['request']>(
      {
        method: { ...columns.nullableText, only: 'postgres' },
        path: { ...columns.nullableText, only: 'postgres' },
      },
      ({ method, path }) => (typeof method === 'string' ? { method, path: path as string } : null),
      (request) => ({ method: request?.method, path: request?.path }),
    ),
    status: {
      ...word<InvocationRecord['status']>(),
      // Marks of suspicion are beside it in the column.
      read: (row, name) => shownStatus(row[name] as string) as InvocationRecord['status'],
    },
    attempt: int,
    replayOf: nullable(int),
    createdAt: int,
    startedAt: nullable(int),
    endedAt: nullable(int),
    emitted: int,
    dropped: int,
    error: nullable(json()),
  },
  {
    key: [],
    sqliteKey: ['emitter', 'n'],
    isView: true,
    also: {
      first_event: { ...columns.nullableInt, only: 'sqlite' },
      first_log: columns.nullableInt,
      logs: columns.int,
      scheduled: { ...columns.int, only: 'sqlite' },
    },
  },
);

/** The accepted request. `status` and the columns after it are for runs without an end yet, and seldom written. */
export const accepted = rowTable(
  'accepted',
  {
    emitter: columns.int,
    n: columns.int,
    cause: columns.text,
    hook: columns.nullableText,
    attempt: columns.int,
    replay_of: columns.nullableInt,
    created_at: columns.int,
    method: columns.nullableText,
    path: columns.nullableText,
    meta: columns.nullableText,
    body: columns.nullableBytes,
    status: columns.text,
    started_at: columns.nullableInt,
    emitted: columns.int,
    dropped: columns.int,
  },
  { key: ['emitter', 'n'], only: 'postgres' },
);

export const ends = rowTable(
  'ends',
  {
    emitter: columns.int,
    n: columns.int,
    status: columns.text,
    started_at: columns.int,
    ended_at: columns.int,
    emitted: columns.int,
    dropped: columns.int,
    error: columns.nullableText,
    first_log: columns.int,
    logs: columns.int,
  },
  { key: ['emitter', 'n'], only: 'postgres' },
);

/** Beside `accepted`, where another node owns the emitter. */
export const leftForOwner = rowTable(
  'left_for_owner',
  { emitter: columns.int, n: columns.int },
  { key: ['emitter', 'n'], only: 'postgres' },
);

/** `body`: bytes of a request, text of an event. */
export const triggers = rowTable(
  'triggers',
  { n: columns.int, meta: columns.text, body: columns.nullableBytes },
  { key: ['n'], only: 'sqlite' },
);

/** The kinds of rows in `events`, for its column `kind`. */
export const kinds = { emitted: 0, drop: 1, notice: 2 } as const;

export const events = recordTable<EventRecord>(
  'events',
  {
    id: eventId,
    emitterId: emitter,
    invocation: int,
    indexedAt: int,
    emitId: text,
    channel: text,
    dedupeId,
    summary: nullable(text),
    ts: nullable(real),
    payload: text,
    dropped: named('reason', nullable(text)),
  },
  {
    key: ['emitter', 'ms', 'seq'],
    sqliteKey: ['n'],
    also: {
      n: { ...columns.int, only: 'sqlite' },
      kind: { ...columns.int, sqlite: 'is_drop' },
      bytes: columns.int,
      ...dedupeIdOfSqlite,
    },
  },
);

export const scheduledEmits = recordTable<ScheduledEmit>(
  'scheduled_emits',
  {
    n: int,
    emitterId: emitter,
    invocation: int,
    dueAt: int,
    scheduledAt: int,
    channel: text,
    dedupeId,
    summary: nullable(text),
    ts: nullable(real),
    payload: text,
    hops: int,
  },
  {
    key: ['emitter', 'due_at', 'n'],
    sqliteKey: ['n'],
    also: { bytes: columns.int, ...dedupeIdOfSqlite },
  },
);

export const logs = recordTable<LogRecord>(
  'logs',
  {
    id: named('n', int),
    emitterId: emitter,
    invocation: nullable(int),
    at: int,
    kind: word(),
    level: word(),
    text,
  },
  { key: ['emitter', 'n'] },
);

export const db = rowTable(
  'db',
  { emitter: columns.int, prop: columns.text, key: columns.text, json: columns.text },
  { key: ['emitter', 'prop', 'key'] },
);

export const dedupe = rowTable(
  'dedupe',
  {
    emitter: columns.int,
    strategy: columns.text,
    greatest: columns.nullableReal,
    last: columns.nullableText,
  },
  { key: ['emitter'] },
);

export const dedupeIds = rowTable(
  'dedupe_ids',
  { emitter: columns.int, seq: columns.int, id: columns.text },
  { key: ['emitter', 'seq'] },
);

export const deliveries = recordTable<DeliveryRecord>(
  'deliveries',
  {
    n: int,
    webhookId: text,
    emitterId: emitter,
    eventId,
    status: word(),
    attempts: int,
    nextAt: nullable(int),
    createdAt: int,
    lastStatus: nullable(int),
    lastError: nullable(text),
  },
  { key: ['n'] },
);

/** The body of the request is stored beside its record, as it was sent: it is large, and would be escaped inside. */
export const attempts = rowTable(
  'attempts',
  {
    row: { ...columns.int, only: 'sqlite' },
    delivery: columns.int,
    number: {
      ...columns.int,
      sqlite: 'row_number() OVER (PARTITION BY delivery ORDER BY row)',
    },
    record: columns.text,
    // Before schema 4 it lay within the record.
    body: { ...columns.text, sqliteNullable: true },
  },
  { key: ['delivery', 'number'], sqliteKey: ['row'] },
);

export const executions = recordTable<ExecutionState & { readonly n: number }>(
  'executions',
  {
    n: int,
    deploymentId: named('deployment', text),
    legs: int,
    wakeAt: nullable(int),
    reason: nullable(text),
    override: nullable(json()),
    test: nullable(json()),
    response: nullable(text),
  },
  { key: ['n'], also: { emitter: columns.int } },
);

export const stepRuns = recordTable<StepRun>(
  'step_runs',
  {
    seq: int,
    path: text,
    namespace: text,
    run: int,
    attempt: int,
    status: word(),
    startedAt: int,
    endedAt: int,
    leg: int,
    exports: nullable(text),
    returnValue: nullable(text),
    decision: nullable(text),
    error: nullable(json()),
    pause: nullable(json()),
    sends: nullable(text),
    props: nullable(text),
  },
  {
    key: ['execution', 'seq'],
    also: { execution: columns.int, first_log: columns.nullableInt, logs: columns.int },
  },
);

export const outgoingRequests = recordTable<StepRequestsRecord>(
  'outgoing_requests',
  { seq: int, requests: json() },
  { key: ['execution', 'seq'], also: { execution: columns.int } },
);

export const resumeHits = rowTable(
  'resume_hits',
  {
    execution: columns.int,
    path: columns.text,
    run: columns.int,
    action: columns.text,
    at: columns.int,
    meta: columns.nullableText,
    body: columns.nullableBytes,
  },
  { key: ['execution', 'path', 'run'] },
);

export const sends = recordTable<SendRecord>(
  'sends',
  {
    n: int,
    emitterId: emitter,
    execution: int,
    path: text,
    send: json(),
    status: word(),
    answer: nullable(text),
    error: nullable(json()),
    createdAt: int,
    endedAt: nullable(int),
  },
  { key: ['n'] },
);

export const streamMessages = recordTable<StreamMessage>(
  'stream_messages',
  { id: named('n', int), emitterId: emitter, channel: text, payload: text },
  { key: ['emitter', 'n'], sqliteKey: ['n'] },
);

export const errorNotifications = rowTable(
  'error_notifications',
  { emitter: columns.int, error: columns.text, at: columns.int },
  { key: ['emitter', 'error'] },
);

export const actionRuns = recordTable<ActionRunRecord>(
  'action_runs',
  {
    n: int,
    name: text,
    key: nullable(text),
    version: nullable(text),
    path: nullable(text),
    agent: nullable(text),
    props: text,
    status: word(),
    startedAt: int,
    endedAt: nullable(int),
    error: nullable(json()),
  },
  {
    key: ['n'],
    also: {
      // The node that runs it; NULL for a run that was moved here.
      node: { ...columns.nullableInt, only: 'postgres' },
      exports: columns.nullableText,
      return_value: columns.nullableText,
      logs: columns.nullableText,
      requests: columns.nullableText,
    },
  },
);

/** The columns that a list of action runs leaves out. */
export const actionRunOutcome = composed<WholeActionRun['outcome']>(
  {},
  ({ exports, return_value: returnValue, logs: lines, requests }) =>
    typeof exports === 'string'
      ? {
          exports,
          returnValue: returnValue as string | null,
          logs: lines as string,
          requests: requests as string | null,
        }
      : null,
  (outcome) => ({
    exports: outcome?.exports,
    return_value: outcome?.returnValue,
    logs: outcome?.logs,
    requests: outcome?.requests,
  }),
);
