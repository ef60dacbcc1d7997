import type { LeftInvocation, SharedStore } from '../shared.ts';
import { arrayOf } from './arrays.ts';
import { inboxRow, triggerOf } from './commit/inbox.ts';
import { type EmitterKey, isOwned } from './emitter-keys.ts';
import { type Engine, write } from './engine.ts';
import { flag, number, text } from './fields.ts';
import { insertStatement, type Row } from './row-table.ts';
import type { OpenedConfiguration } from '../tables/configuration.ts';
import { accepted } from './tables/row-tables.ts';

/** How many are claimed at once. */
const mostLeft = 500;

export function createSharedStore(engine: Engine, configuration: OpenedConfiguration): SharedStore {
  const { keys, numbers, membership, read } = engine;
  const isOwn = (id: string): boolean => {
    const key = keys.get(id);
    return key !== undefined && isOwned(key);
  };

  /**
   * New keys are known at once, as other rows that are read refer to them. Resolves with a function that forgets the
   * deleted ones.
   */
  async function rereadKeys(): Promise<() => void> {
    const rows = await read('SELECT row, id FROM emitters ORDER BY row');
    const isThere = new Set<string>();
    for (const row of rows) {
      const id = text(row, 'id');
      isThere.add(id);
      if (keys.get(id) === undefined) keys.add(id, number(row, 'row'));
    }
    return () => {
      for (const key of keys.all()) if (!isThere.has(key.id) && !isOwned(key)) keys.remove(key.id);
    };
  }

  return {
    get changes() {
      return engine.configuration.changes;
    },
    async refresh() {
      // All records change in one turn of the loop.
      const forget = await rereadKeys();
      const apply = await configuration.reread(isOwn);
      const changes = apply();
      forget();
      return changes;
    },
    refreshTicks: (id) => configuration.timers.refreshTicks(id),
    async owners() {
      const rows = await read(
        `SELECT e.id, e.node FROM emitters e JOIN nodes n ON n.id = e.node WHERE n.fenced_at IS NULL`,
      );
      return rows.map((row) => ({ id: text(row, 'id'), node: number(row, 'node') }));
    },
    release: ({ id, fence }) =>
      write(engine, (change) => {
        const key: EmitterKey = keys.owned(id, fence);
        change.run(
          'UPDATE emitters SET node = NULL, released = true WHERE row = $1 AND node = $2',
          [key.row, membership.id],
        );
        key.owned = undefined;
      }),
    giveUp: (id) =>
      write(engine, (change) => {
        const key = keys.get(id);
        if (key === undefined) return;
        change.run('UPDATE emitters SET node = NULL WHERE row = $1 AND node = $2', [
          key.row,
          membership.id,
        ]);
        key.owned = undefined;
      }),
    nextNumber: () => numbers.next(),
    isOpen: (id, n) => keys.get(id)?.owned?.open.has(n) === true,
    leave: (left) => leave(left),
    takeLeft: () => takeLeft(),
  };

  async function leave({ emitterId, n, ...invocation }: LeftInvocation): Promise<void> {
    const { row } = keys.require(emitterId);
    const rows = [{ table: accepted, rows: [inboxRow(row, n, invocation)] }];
    const { sql, values } = insertStatement(
      rows,
      { sql: 'whole AS (SELECT 1)', values: [] },
      'ON CONFLICT DO NOTHING RETURNING emitter, n',
    );
    await write(engine, (change) =>
      change.run(`${sql} INSERT INTO left_for_owner SELECT emitter, n FROM i0`, values),
    );
  }

  /**
   * Skips triggers that are here already: they came with the emitter when it was taken, or the caller's request arrived
   * after all. The second look finds triggers that have ended meanwhile, because it sees all that this node wrote.
   */
  async function takeLeft(): ReturnType<SharedStore['takeLeft']> {
    const rows = await read(
      `SELECT l.emitter, l.n FROM left_for_owner l
       JOIN emitters e ON e.row = l.emitter AND e.node = $1 ORDER BY l.n LIMIT ${mostLeft}`,
      [membership.id],
    );
    if (rows.length === 0) return [];
    const isNew = (row: Row): boolean =>
      openOf(number(row, 'emitter'))?.has(number(row, 'n')) === false;
    const unknown = rows.filter(isNew);
    const found = unknown.length === 0 ? [] : await lookAt(unknown);
    const taken = found.filter((row) => !flag(row, 'ended') && isNew(row));
    for (const row of taken) openOf(number(row, 'emitter'))?.add(number(row, 'n'));
    // Triggers of emitters that this node no longer owns are left to the new owner.
    const seen = rows.filter((row) => openOf(number(row, 'emitter')) !== undefined);
    await write(engine, (change) =>
      change.run(
        `DELETE FROM left_for_owner l USING unnest($1::bigint[], $2::bigint[]) AS seen (emitter, n)
         WHERE l.emitter = seen.emitter AND l.n = seen.n`,
        columnsOf(seen),
      ),
    );
    return taken.flatMap((row) => {
      const trigger = triggerOf(row);
      if (trigger === undefined) return [];
      return {
        n: number(row, 'n'),
        emitterId: keys.idOf(number(row, 'emitter')),
        cause: text(row, 'cause') as LeftInvocation['cause'],
        createdAt: number(row, 'created_at'),
        trigger,
      };
    });
  }

  function lookAt(rows: readonly Row[]): Promise<Row[]> {
    return read(
      `SELECT a.emitter, a.n, a.cause, a.created_at, a.meta, a.body,
         EXISTS (SELECT 1 FROM ends e WHERE e.emitter = a.emitter AND e.n = a.n) AS ended
       FROM unnest($1::bigint[], $2::bigint[]) AS seen (emitter, n)
       JOIN accepted a ON a.emitter = seen.emitter AND a.n = seen.n ORDER BY a.n`,
      columnsOf(rows),
    );
  }

  function openOf(row: number): Set<number> | undefined {
    return keys.byRow(row)?.owned?.open;
  }
}

function columnsOf(rows: readonly Row[]): Buffer[] {
  return ['emitter', 'n'].map((column) =>
    arrayOf(
      'bigint',
      rows.map((row) => number(row, column)),
    ),
  );
}
