import type { RowsAndBytes } from '../retention.ts';
import type { Connection } from './wasm/connection.ts';

/**
 * How many rows each emitter has, in memory: retention asks after every few hundred new ones, and
 * counting would read all that is kept. Counted once per emitter, when it is first asked.
 */
export class RowCounts {
  readonly events: TableCounts;
  readonly invocations: TableCounts;
  readonly logs: TableCounts;
  readonly deliveries: TableCounts;
  /** Below so many invocations of a emitter it is not worth looking for ones to remove. */
  readonly invocationsWorthALook = new Map<number, number>();

  constructor(db: Connection) {
    const rowsOf = (table: string) =>
      `SELECT 0 AS kind, count(*) AS count, 0 AS bytes FROM ${table} WHERE emitter = ?`;
    this.events = new TableCounts(
      db,
      `SELECT is_drop AS kind, count(*) AS count, sum(bytes) AS bytes FROM events
       WHERE emitter = ? GROUP BY is_drop`,
    );
    this.invocations = new TableCounts(db, rowsOf('invocations'));
    this.logs = new TableCounts(db, rowsOf('logs'));
    this.deliveries = new TableCounts(db, rowsOf('deliveries'));
  }

  /** Some of its rows are deleted, not by retention: all are counted again when somebody asks. */
  forget(emitter: number): void {
    this.events.forget(emitter);
    this.invocations.forget(emitter);
    this.invocationsWorthALook.delete(emitter);
    this.logs.forget(emitter);
    this.deliveries.forget(emitter);
  }
}

interface MutableCount {
  count: number;
  bytes: number;
}

/** The rows of one table, by emitter and kind (0 where there are no kinds). */
export class TableCounts {
  readonly #db: Connection;
  readonly #sql: string;
  readonly #byEmitter = new Map<number, Map<number, MutableCount>>();

  /** @param sql gives `kind`, `count` and `bytes` of a emitter. */
  constructor(db: Connection, sql: string) {
    this.#db = db;
    this.#sql = sql;
  }

  /** Within the write that adds the row. */
  added(emitter: number, kind = 0, bytes = 0): void {
    const kinds = this.#byEmitter.get(emitter);
    // Nobody has asked yet.
    if (kinds === undefined) return;
    const counted = countOf(kinds, kind);
    counted.count += 1;
    counted.bytes += bytes;
  }

  /** Within the write that removes the rows. */
  removed(emitter: number, gone: RowsAndBytes, kind = 0): void {
    const kinds = this.#byEmitter.get(emitter);
    if (kinds === undefined) return;
    const counted = countOf(kinds, kind);
    counted.count -= gone.count;
    counted.bytes -= gone.bytes;
  }

  of(emitter: number, kind = 0): RowsAndBytes {
    return countOf(this.#kindsOf(emitter), kind);
  }

  forget(emitter: number): void {
    this.#byEmitter.delete(emitter);
  }

  #kindsOf(emitter: number): Map<number, MutableCount> {
    let kinds = this.#byEmitter.get(emitter);
    if (kinds === undefined) {
      kinds = new Map();
      for (const row of this.#db.prepare(this.#sql).each(emitter)) {
        const counted = { count: row.number('count'), bytes: row.number('bytes') };
        kinds.set(row.number('kind'), counted);
      }
      this.#byEmitter.set(emitter, kinds);
    }
    return kinds;
  }
}

function countOf(kinds: Map<number, MutableCount>, kind: number): MutableCount {
  let counted = kinds.get(kind);
  if (counted === undefined) {
    counted = { count: 0, bytes: 0 };
    kinds.set(kind, counted);
  }
  return counted;
}
