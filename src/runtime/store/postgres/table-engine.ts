/** The port that tables are written on (`store/tables`), on PostgreSQL. */
import type { Emitters } from '../tables/emitter-records.ts';
import type { TableEngine } from '../tables/engine.ts';
import { isOwned } from './emitter-keys.ts';
import { type Engine, write } from './engine.ts';
import { numbered } from './numbered.ts';
import { RowCounts } from './row-counts.ts';

export function tableEngine(engine: Engine): TableEngine {
  const { keys, numbers, read } = engine;
  return {
    name: 'postgres',
    ids: keys,
    write: (apply) => write(engine, apply),
    select: (sql, values) => read(numbered(sql), values),
    nextNumber: () => numbers.next(),
    configurationChanged: () => void (engine.configuration.changes += 1),
  };
}

/** Everything an emitter has, details before what names them. */
const deletions = [
  ...['step_runs', 'outgoing_requests', 'resume_hits'].map(
    (table) =>
      `DELETE FROM ${table} WHERE execution IN (SELECT n FROM executions WHERE emitter = ?)`,
  ),
  'DELETE FROM executions WHERE emitter = ?',
  'DELETE FROM sends WHERE emitter = ?',
  'DELETE FROM stream_messages WHERE emitter = ?',
  'DELETE FROM error_notifications WHERE emitter = ?',
  'DELETE FROM event_words WHERE emitter = ?',
  'DELETE FROM indexed_events WHERE emitter = ?',
  'DELETE FROM left_for_owner WHERE emitter = ?',
  'DELETE FROM accepted WHERE emitter = ?',
  'DELETE FROM ends WHERE emitter = ?',
  'DELETE FROM events WHERE emitter = ?',
  'DELETE FROM scheduled_emits WHERE emitter = ?',
  'DELETE FROM logs WHERE emitter = ?',
  'DELETE FROM attempts WHERE delivery IN (SELECT n FROM deliveries WHERE emitter = ?)',
  'DELETE FROM deliveries WHERE emitter = ?',
  'DELETE FROM db WHERE emitter = ?',
  'DELETE FROM dedupe WHERE emitter = ?',
  'DELETE FROM dedupe_ids WHERE emitter = ?',
  'DELETE FROM interfaces WHERE emitter = ?',
  'DELETE FROM emitters WHERE row = ?',
];

export function emittersOf({ keys, membership, numbers }: Engine): Emitters {
  return {
    rowOf: (id) => keys.rowOf(id),
    require: (id) => keys.require(id),
    owned: (id, fence) => keys.owned(id, fence),
    isOwned(id) {
      const key = keys.get(id);
      return key !== undefined && isOwned(key);
    },
    insert(change, id) {
      const row = numbers.next();
      change.statement('INSERT INTO emitters (row, id, node, epoch) VALUES (?, ?, ?, 1)', [
        row,
        id,
        membership.id,
      ]);
      return row;
    },
    inserted({ memory }, id, row) {
      memory.onRefused(() => keys.remove(id));
      keys.add(id, row, {
        fence: 1,
        released: true,
        lastLog: 0,
        newestEvent: undefined,
        lastDedupeSeq: 0,
        dedupe: undefined,
        open: new Set(),
        notified: new Map(),
        counts: new RowCounts(),
      });
    },
    delete(change, id) {
      const key = keys.get(id);
      if (key === undefined) return false;
      for (const sql of deletions) change.statement(sql, [key.row]);
      keys.remove(id);
      change.memory.onRefused(() => keys.restore(key));
      return true;
    },
    unfinishedDeployments: `SELECT DISTINCT e.deployment AS id FROM executions e
      WHERE NOT EXISTS (SELECT 1 FROM ends i WHERE i.emitter = e.emitter AND i.n = e.n)`,
  };
}
