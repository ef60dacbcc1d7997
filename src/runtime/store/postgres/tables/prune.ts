import type { EmitterOwner } from '../../emitter-owner.ts';
import type { Keep } from '../../page.ts';
import { alwaysKept, type Cut, cutOf, type RowsAndBytes } from '../../retention.ts';
import { arrayOf } from '../arrays.ts';
import { type Engine, write } from '../engine.ts';
import { number } from '../fields.ts';
import type { Countable } from '../row-counts.ts';
import type { Row } from '../row-table.ts';
import { saveNewestEvent } from './newest-event.ts';
import { kinds } from './row-tables.ts';

/** Rows of an emitter that are removed from the old end. */
interface Prunable extends Countable {
  /** Column that says when a row was made, epoch ms. */
  readonly time: string;
  /** The order of age, if it is not the order of the key. */
  readonly order?: string;
}

const invocations: Prunable = {
  from: 'accepted WHERE emitter = $1',
  key: ['n'],
  time: 'created_at',
  bytes: '0',
};
const logs: Prunable = { from: 'logs WHERE emitter = $1', key: ['n'], time: 'at', bytes: '0' };
const deliveries: Prunable = {
  from: 'deliveries WHERE emitter = $1',
  key: ['n'],
  time: 'created_at',
  bytes: '0',
  order: 'ms, seq, n',
};

/** How many of the oldest rows are read first, and how many afterwards as long as all of them have to be deleted. */
const looks = [1, 1000];

/** The rows of an emitter to delete, as `cutOf` decides: the newest of them is a row with the columns of the order. */
async function cut(
  { read }: Engine,
  emitter: number,
  { from, key, time, bytes, order = key.join(', ') }: Prunable,
  all: RowsAndBytes,
  keep: Keep & { readonly bytes?: number },
): Promise<Cut<{ readonly row: Row }> | undefined> {
  if (all.count <= alwaysKept) return undefined;
  const most = all.count - alwaysKept;
  for (let step = 0; ; step += 1) {
    const limit = Math.min(most, looks[step] ?? most);
    const oldestFirst = await read(
      `SELECT ${order}, ${time} AS made_at, ${bytes} AS bytes FROM ${from} ORDER BY ${order} LIMIT $2`,
      [emitter, limit],
    );
    const weighed = oldestFirst.map((row) => ({
      row,
      ms: number(row, 'made_at'),
      bytes: number(row, 'bytes'),
    }));
    const found = cutOf(weighed, all, keep);
    if (found === undefined || found.gone.count < limit || limit === most) return found;
  }
}

/** Deletes with one statement, which says how many went. */
async function remove(
  engine: Engine,
  owner: EmitterOwner,
  statements: readonly (readonly [sql: string, ...values: (number | Uint8Array)[]])[],
  savesNewestEvent = false,
): Promise<number> {
  let count = 0;
  await write(engine, (change) => {
    const key = engine.keys.ownedIfThere(owner);
    if (key === undefined) return;
    if (savesNewestEvent) saveNewestEvent(change, key);
    for (const [sql, ...values] of statements) {
      change.run(
        `WITH gone AS (${sql} RETURNING 1) SELECT count(*) AS count FROM gone`,
        [key.row, ...values],
        ([row]) => {
          if (row !== undefined) count = number(row, 'count');
        },
      );
    }
  });
  return count;
}

/** Emitted events, drops and notices apart: an emitter that mostly drops does not lose its events. */
export async function pruneEvents(
  engine: Engine,
  owner: EmitterOwner,
  keep: Keep & { readonly bytes: number },
): Promise<number> {
  const key = engine.keys.ownedIfThere(owner);
  if (key === undefined) return 0;
  const { owned } = key;
  const { counts } = owned;
  let removed = 0;
  for (const kind of Object.values(kinds)) {
    const rows = {
      from: `events WHERE emitter = $1 AND kind = ${kind}`,
      key: ['ms', 'seq'],
      time: 'ms',
      bytes: 'bytes',
    };
    const { newestEvent } = owned;
    const newest = newestEvent && [newestEvent.ms, newestEvent.seq];
    const all = await counts.of(engine.read, key.row, rows, newest);
    const found = await cut(engine, key.row, rows, all, keep);
    if (found === undefined) continue;
    const { row } = found.newest;
    const count = await remove(
      engine,
      owner,
      [
        [
          'DELETE FROM events WHERE emitter = $1 AND (ms, seq) <= ($2, $3) AND kind = $4',
          number(row, 'ms'),
          number(row, 'seq'),
          kind,
        ],
      ],
      true,
    );
    // Somebody else was removing them, too.
    if (count === found.gone.count) counts.removed(rows, found.gone);
    else counts.forget();
    removed += count;
  }
  return removed;
}

/**
 * An invocation stays as long as one of its events does, or waits to be one: the event may be replayed from it. If many
 * are kept, they are checked again after as many new ones.
 */
export async function pruneInvocations(
  engine: Engine,
  owner: EmitterOwner,
  keep: Keep,
): Promise<number> {
  const key = engine.keys.ownedIfThere(owner);
  if (key === undefined) return 0;
  const {
    row: emitter,
    owned: { counts },
  } = key;
  const all = await counts.of(engine.read, emitter, invocations, [engine.numbers.next()]);
  if (all.count < counts.invocationsWorthALook) return 0;
  const found = await cut(engine, emitter, invocations, all, keep);
  if (found === undefined) return 0;
  const gone = await engine.read(
    `SELECT n FROM ends e WHERE emitter = $1 AND n <= $2
       AND NOT EXISTS (SELECT 1 FROM events v WHERE v.invocation = e.n AND v.kind <> 2)
       AND NOT EXISTS (SELECT 1 FROM scheduled_emits s WHERE s.invocation = e.n)`,
    [emitter, number(found.newest.row, 'n')],
  );
  const numbers = arrayOf(
    'bigint',
    gone.map((row) => number(row, 'n')),
  );
  const count = await remove(engine, owner, [
    ...['step_runs', 'outgoing_requests', 'resume_hits', 'sends'].map(
      (table) =>
        [
          `DELETE FROM ${table} WHERE $1::bigint > 0 AND execution = ANY ($2::bigint[])`,
          numbers,
        ] as const,
    ),
    ['DELETE FROM executions WHERE emitter = $1 AND n = ANY ($2::bigint[])', numbers],
    ['DELETE FROM ends WHERE emitter = $1 AND n = ANY ($2::bigint[])', numbers],
    ['DELETE FROM accepted WHERE emitter = $1 AND n = ANY ($2::bigint[])', numbers],
  ]);
  counts.removed(invocations, { count, bytes: 0 });
  counts.invocationsWorthALook = all.count - count + (found.gone.count - count);
  return count;
}

export async function pruneLogs(engine: Engine, owner: EmitterOwner, keep: Keep): Promise<number> {
  const key = engine.keys.ownedIfThere(owner);
  if (key === undefined) return 0;
  const { counts, lastLog } = key.owned;
  const all = await counts.of(engine.read, key.row, logs, [lastLog]);
  const found = await cut(engine, key.row, logs, all, keep);
  if (found === undefined) return 0;
  // Lines of what has not ended stay: they are the story of an execution that waits.
  const count = await remove(engine, owner, [
    [
      `DELETE FROM logs l WHERE emitter = $1 AND n <= $2 AND NOT EXISTS (
         SELECT 1 FROM invocations i
         WHERE i.emitter = l.emitter AND i.n = l.invocation AND i.ended_at IS NULL)`,
      number(found.newest.row, 'n'),
    ],
  ]);
  counts.removed(logs, { count, bytes: 0 });
  return count;
}

/** Only completed deliveries, with their attempts. */
export async function pruneDeliveries(
  engine: Engine,
  owner: EmitterOwner,
  keep: Keep,
): Promise<number> {
  const key = engine.keys.ownedIfThere(owner);
  if (key === undefined) return 0;
  const { counts } = key.owned;
  const all = await counts.of(engine.read, key.row, deliveries, [engine.numbers.next()]);
  const found = await cut(engine, key.row, deliveries, all, keep);
  if (found === undefined) return 0;
  const over = `emitter = $1 AND (ms, seq, n) <= ($2, $3, $4) AND status NOT IN ('pending', 'retrying')`;
  const { row } = found.newest;
  const place = [number(row, 'ms'), number(row, 'seq'), number(row, 'n')];
  const count = await remove(engine, owner, [
    [`DELETE FROM attempts WHERE delivery IN (SELECT n FROM deliveries WHERE ${over})`, ...place],
    [`DELETE FROM deliveries WHERE ${over}`, ...place],
  ]);
  counts.removed(deliveries, { count, bytes: 0 });
  return count;
}
