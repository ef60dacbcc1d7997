/** The tables of the hot path. */
import type { RowTable } from '../row-table.ts';

const dedupeId = { dedupe_text: 'text', dedupe_number: 'float8' } as const;

const table = <C extends string>(made: RowTable<C>): RowTable<C> => made;

export const accepted = table({
  name: 'accepted',
  columns: {
    emitter: 'bigint',
    n: 'bigint',
    cause: 'text',
    hook: 'text',
    attempt: 'bigint',
    replay_of: 'bigint',
    created_at: 'bigint',
    method: 'text',
    path: 'text',
    meta: 'text',
    body: 'bytea',
    status: 'text',
  },
});

/** Beside `accepted`, where another node owns the emitter. */
export const leftForOwner = table({
  name: 'left_for_owner',
  columns: { emitter: 'bigint', n: 'bigint' },
});

export const ends = table({
  name: 'ends',
  columns: {
    emitter: 'bigint',
    n: 'bigint',
    status: 'text',
    started_at: 'bigint',
    ended_at: 'bigint',
    emitted: 'bigint',
    dropped: 'bigint',
    error: 'text',
    first_log: 'bigint',
    logs: 'bigint',
  },
});

export const events = table({
  name: 'events',
  columns: {
    emitter: 'bigint',
    ms: 'bigint',
    seq: 'bigint',
    kind: 'bigint',
    channel: 'text',
    bytes: 'bigint',
    invocation: 'bigint',
    indexed_at: 'bigint',
    emit_id: 'text',
    ...dedupeId,
    summary: 'text',
    ts: 'float8',
    reason: 'text',
    payload: 'text',
  },
});

export const scheduledEmits = table({
  name: 'scheduled_emits',
  columns: {
    emitter: 'bigint',
    due_at: 'bigint',
    n: 'bigint',
    bytes: 'bigint',
    invocation: 'bigint',
    scheduled_at: 'bigint',
    hops: 'bigint',
    channel: 'text',
    ...dedupeId,
    summary: 'text',
    ts: 'float8',
    payload: 'text',
  },
});

export const logs = table({
  name: 'logs',
  columns: {
    emitter: 'bigint',
    n: 'bigint',
    invocation: 'bigint',
    at: 'bigint',
    kind: 'text',
    level: 'text',
    text: 'text',
  },
});

export const db = table({
  name: 'db',
  columns: { emitter: 'bigint', prop: 'text', key: 'text', json: 'text' },
  onConflict: 'ON CONFLICT (emitter, prop, key) DO UPDATE SET json = excluded.json',
  keyOf: ({ emitter, prop, key }) =>
    JSON.stringify([emitter, (prop as string).toWellFormed(), (key as string).toWellFormed()]),
});

export const dedupe = table({
  name: 'dedupe',
  columns: { emitter: 'bigint', strategy: 'text', greatest: 'float8', last: 'text' },
  onConflict: `ON CONFLICT (emitter) DO UPDATE
    SET strategy = excluded.strategy, greatest = excluded.greatest, last = excluded.last`,
  keyOf: ({ emitter }) => String(emitter),
});

export const dedupeIds = table({
  name: 'dedupe_ids',
  columns: { emitter: 'bigint', seq: 'bigint', id: 'text' },
});

export const deliveries = table({
  name: 'deliveries',
  columns: {
    n: 'bigint',
    webhook_id: 'text',
    emitter: 'bigint',
    ms: 'bigint',
    seq: 'bigint',
    status: 'text',
    attempts: 'bigint',
    created_at: 'bigint',
  },
});

/** What a row of `events` is, in its column `kind`. */
export const kinds = { emitted: 0, drop: 1, notice: 2 } as const;
