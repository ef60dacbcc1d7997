/** The port that tables are written on (`store/tables`), on SQLite. */
import { ChangesAhead } from '../../base/ahead-of-store.ts';
import type { Emitters } from '../tables/emitter-records.ts';
import type { TableChange, TableEngine } from '../tables/engine.ts';
import type { Engine } from './engine.ts';
import type { EventSearch } from './search/event-search.ts';
import { deleteEmitter } from './tables/delete-emitter.ts';
import type { Connection } from './wasm/connection.ts';

/** A change of one write. Every statement is done at once. */
export function changeOf(db: Connection): TableChange & { readonly memory: ChangesAhead } {
  return {
    memory: new ChangesAhead(),
    statement(sql, values = [], onRows) {
      if (onRows === undefined) db.prepare(sql).run(...values);
      else onRows(db.prepare(sql).all((row) => row.all(), ...values));
    },
  };
}

export function tableEngine({ db, groups, keys }: Engine): TableEngine {
  return {
    name: 'sqlite',
    ids: keys,
    write(apply) {
      const change = changeOf(db);
      const write = groups.writeAlone(() => {
        try {
          return apply(change);
        } catch (error) {
          // With the rows, in this turn: the next write must not rest on what was refused.
          change.memory.refused();
          throw error;
        }
      });
      return change.memory.settled(write);
    },
    select: async (sql, values = []) => db.prepare(sql).all((row) => row.all(), ...values),
    nextNumber: () => undefined,
    configurationChanged: () => undefined,
  };
}

export function emittersOf(engine: Engine, search: EventSearch): Emitters {
  const { db, keys, fence } = engine;
  return {
    rowOf: (id) => keys.rowOf(id),
    require: (id) => keys.require(id),
    owned: (id, by) => keys.owned(id, by),
    isOwned: () => true,
    insert(_, id) {
      const emitter = db.prepare('INSERT INTO emitters (id) VALUES (?) RETURNING row');
      const row = emitter.get((made) => made.number('row'), id);
      if (row === undefined) throw new Error(`The row of ${id} is missing.`);
      return row;
    },
    inserted({ memory }, id, row) {
      keys.add(id, row, fence);
      memory.onRefused(() => keys.remove(id));
    },
    delete({ memory }, id) {
      const key = keys.get(id);
      if (key === undefined) return false;
      deleteEmitter(engine, key);
      search.forget(key.row);
      keys.remove(id);
      memory.onRefused(() => keys.restore(key));
      return true;
    },
    unfinishedDeployments: `SELECT DISTINCT e.deployment AS id FROM executions e
      JOIN invocations i ON i.emitter = e.emitter AND i.n = e.n WHERE i.ended_at IS NULL`,
    // Earlier versions of Weir, which may open the file, read there which components are used.
    deploymentInserted(_, { id, components }) {
      const used = db.prepare(
        'INSERT OR IGNORE INTO workflow_components (deployment, component_id) VALUES (?, ?)',
      );
      for (const component of Object.values(components)) used.run(id, component);
    },
    deploymentDeleted(_, id) {
      db.prepare('DELETE FROM workflow_components WHERE deployment = ?').run(id);
    },
  };
}
