import type { EmitterOwner } from '../../emitter-owner.ts';
import type { Keep } from '../../page.ts';
import { alwaysKept, cutOf } from '../../retention.ts';
import { arrayOf } from '../arrays.ts';
import { type Engine, write } from '../engine.ts';
import { number } from '../fields.ts';
import type { Row } from '../row-table.ts';
import { saveNewestEvent } from './newest-event.ts';
import { kinds } from './row-tables.ts';

type Weighed = Row & { readonly ms: number; readonly bytes: number };

/** What has to go of an emitter's rows: the newest of it, as `cutOf` says. */
async function cut(
  { read }: Engine,
  emitter: number,
  { from, time, bytes, order }: { from: string; time: string; bytes: string; order: string },
  keep: Keep & { readonly bytes?: number },
): Promise<Row | undefined> {
  const [counted] = await read(
    `SELECT count(*) AS count, coalesce(sum(${bytes}), 0)::bigint AS bytes FROM ${from}`,
    [emitter],
  );
  if (counted === undefined) return undefined;
  const all = { count: number(counted, 'count'), bytes: number(counted, 'bytes') };
  if (all.count <= alwaysKept) return undefined;
  const oldestFirst = (await read(
    `SELECT ${order}, ${time} AS made_at, ${bytes} AS bytes FROM ${from} ORDER BY ${order} LIMIT $2`,
    [emitter, all.count - alwaysKept],
  )) as Weighed[];
  const weighed = oldestFirst.map((row) => ({
    row,
    ms: number(row, 'made_at'),
    bytes: number(row, 'bytes'),
  }));
  return cutOf(weighed, all, keep)?.newest.row;
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
  const emitter = engine.keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  let removed = 0;
  for (const kind of Object.values(kinds)) {
    const rows = {
      from: `events WHERE emitter = $1 AND kind = ${kind}`,
      time: 'ms',
      bytes: 'bytes',
      order: 'ms, seq',
    };
    const newest = await cut(engine, emitter, rows, keep);
    if (newest === undefined) continue;
    removed += await remove(
      engine,
      owner,
      [
        [
          'DELETE FROM events WHERE emitter = $1 AND (ms, seq) <= ($2, $3) AND kind = $4',
          number(newest, 'ms'),
          number(newest, 'seq'),
          kind,
        ],
      ],
      true,
    );
  }
  return removed;
}

/** An invocation stays as long as one of its events does, or waits to be one: the event may be replayed from it. */
export async function pruneInvocations(
  engine: Engine,
  owner: EmitterOwner,
  keep: Keep,
): Promise<number> {
  const emitter = engine.keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  const rows = { from: 'accepted WHERE emitter = $1', time: 'created_at', bytes: '0', order: 'n' };
  const newest = await cut(engine, emitter, rows, keep);
  if (newest === undefined) return 0;
  const gone = await engine.read(
    `SELECT n FROM ends e WHERE emitter = $1 AND n <= $2
       AND NOT EXISTS (SELECT 1 FROM events v WHERE v.invocation = e.n AND v.kind <> 2)
       AND NOT EXISTS (SELECT 1 FROM scheduled_emits s WHERE s.invocation = e.n)`,
    [emitter, number(newest, 'n')],
  );
  const numbers = arrayOf(
    'bigint',
    gone.map((row) => number(row, 'n')),
  );
  return remove(engine, owner, [
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
}

export async function pruneLogs(engine: Engine, owner: EmitterOwner, keep: Keep): Promise<number> {
  const emitter = engine.keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  const rows = { from: 'logs WHERE emitter = $1', time: 'at', bytes: '0', order: 'n' };
  const newest = await cut(engine, emitter, rows, keep);
  if (newest === undefined) return 0;
  // Lines of what has not ended stay: they are the story of an execution that waits.
  return remove(engine, owner, [
    [
      `DELETE FROM logs l WHERE emitter = $1 AND n <= $2 AND NOT EXISTS (
         SELECT 1 FROM invocations i
         WHERE i.emitter = l.emitter AND i.n = l.invocation AND i.ended_at IS NULL)`,
      number(newest, 'n'),
    ],
  ]);
}

/** Only those that are over; with their attempts. */
export async function pruneDeliveries(
  engine: Engine,
  owner: EmitterOwner,
  keep: Keep,
): Promise<number> {
  const emitter = engine.keys.ownedIfThere(owner)?.row;
  if (emitter === undefined) return 0;
  const rows = {
    from: 'deliveries WHERE emitter = $1',
    time: 'created_at',
    bytes: '0',
    order: 'ms, seq, n',
  };
  const newest = await cut(engine, emitter, rows, keep);
  if (newest === undefined) return 0;
  const over = `emitter = $1 AND (ms, seq, n) <= ($2, $3, $4) AND status NOT IN ('pending', 'retrying')`;
  const place = [number(newest, 'ms'), number(newest, 'seq'), number(newest, 'n')];
  return remove(engine, owner, [
    [`DELETE FROM attempts WHERE delivery IN (SELECT n FROM deliveries WHERE ${over})`, ...place],
    [`DELETE FROM deliveries WHERE ${over}`, ...place],
  ]);
}
