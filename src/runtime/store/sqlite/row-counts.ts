import type { Tally } from '../retention.ts';
import type { Connection } from './wasm/connection.ts';

/**
 * How many rows each source has, in memory: retention asks after every few hundred new ones, and
 * counting would read all that is kept. Counted once per source, when it is first asked.
 */
export class Tallies {
  readonly events: TableTally;
  readonly invocations: TableTally;
  readonly logs: TableTally;
  /** Below so many invocations of a source it is not worth looking for ones to remove. */
  readonly invocationsWorthALook = new Map<number, number>();

  constructor(db: Connection) {
    const rowsOf = (table: string) =>
      `SELECT 0 AS kind, count(*) AS count, 0 AS bytes FROM ${table} WHERE source = ?`;
    this.events = new TableTally(
      db,
      `SELECT is_drop AS kind, count(*) AS count, sum(bytes) AS bytes FROM events
       WHERE source = ? GROUP BY is_drop`,
    );
    this.invocations = new TableTally(db, rowsOf('invocations'));
    this.logs = new TableTally(db, rowsOf('logs'));
  }

  /** Some of its rows are deleted, not by retention: all are counted again when somebody asks. */
  forget(source: number): void {
    this.events.forget(source);
    this.invocations.forget(source);
    this.invocationsWorthALook.delete(source);
    this.logs.forget(source);
  }
}

interface MutableTally {
  count: number;
  bytes: number;
}

/** The rows of one table, by source and kind (0 where there are no kinds). */
export class TableTally {
  readonly #db: Connection;
  readonly #sql: string;
  readonly #bySource = new Map<number, Map<number, MutableTally>>();

  /** @param sql gives `kind`, `count` and `bytes` of a source. */
  constructor(db: Connection, sql: string) {
    this.#db = db;
    this.#sql = sql;
  }

  /** Within the write that adds the row. */
  added(source: number, kind = 0, bytes = 0): void {
    const kinds = this.#bySource.get(source);
    // Nobody has asked yet.
    if (kinds === undefined) return;
    const tally = tallyOf(kinds, kind);
    tally.count += 1;
    tally.bytes += bytes;
  }

  /** Within the write that removes the rows. */
  removed(source: number, gone: Tally, kind = 0): void {
    const kinds = this.#bySource.get(source);
    if (kinds === undefined) return;
    const tally = tallyOf(kinds, kind);
    tally.count -= gone.count;
    tally.bytes -= gone.bytes;
  }

  of(source: number, kind = 0): Tally {
    return tallyOf(this.#kindsOf(source), kind);
  }

  forget(source: number): void {
    this.#bySource.delete(source);
  }

  #kindsOf(source: number): Map<number, MutableTally> {
    let kinds = this.#bySource.get(source);
    if (kinds === undefined) {
      kinds = new Map();
      for (const row of this.#db.prepare(this.#sql).each(source)) {
        const tally = { count: row.number('count'), bytes: row.number('bytes') };
        kinds.set(row.number('kind'), tally);
      }
      this.#bySource.set(source, kinds);
    }
    return kinds;
  }
}

function tallyOf(kinds: Map<number, MutableTally>, kind: number): MutableTally {
  let tally = kinds.get(kind);
  if (tally === undefined) {
    tally = { count: 0, bytes: 0 };
    kinds.set(kind, tally);
  }
  return tally;
}
