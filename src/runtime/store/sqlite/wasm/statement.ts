import type { Arena } from './arena.ts';
import { resultCode } from './result-code.ts';
import { Row } from './row.ts';
import type { Sqlite } from './sqlite.ts';

export type SqlValue = string | number | boolean | Uint8Array | null | undefined;

/** How long SQLite may use the memory of a bound value: not after the call, or until the next reset. */
const COPY = -1;
const KEEP = 0;

/** A compiled statement. Every run binds all its values; nothing of them is left behind. */
export class Statement {
  readonly #sqlite: Sqlite;
  readonly #arena: Arena;
  readonly #pointer: number;
  readonly #fail: (code: number) => Error;
  readonly #row: Row;

  constructor(sqlite: Sqlite, arena: Arena, pointer: number, fail: (code: number) => Error) {
    this.#sqlite = sqlite;
    this.#arena = arena;
    this.#pointer = pointer;
    this.#fail = fail;
    this.#row = new Row(sqlite, pointer);
  }

  /** Runs to the end; rows are passed over. */
  run(...values: readonly SqlValue[]): void {
    this.#bind(values, KEEP);
    let code: number;
    do code = this.#sqlite.call.sqlite3_step(this.#pointer);
    while (code === resultCode.row);
    this.#end(code);
  }

  get<T>(read: (row: Row) => T, ...values: readonly SqlValue[]): T | undefined {
    this.#bind(values, KEEP);
    const code = this.#sqlite.call.sqlite3_step(this.#pointer);
    if (code !== resultCode.row) {
      this.#end(code);
      return undefined;
    }
    try {
      return read(this.#row);
    } finally {
      this.#end(resultCode.done);
    }
  }

  all<T>(read: (row: Row) => T, ...values: readonly SqlValue[]): T[] {
    const rows: T[] = [];
    for (const row of this.each(...values)) rows.push(read(row));
    return rows;
  }

  /** Steps with the loop. The same statement must not be run inside the loop. */
  *each(...values: readonly SqlValue[]): Generator<Row, void, undefined> {
    this.#bind(values, COPY);
    const row = this.#row;
    let code: number = resultCode.row;
    try {
      while ((code = this.#sqlite.call.sqlite3_step(this.#pointer)) === resultCode.row) yield row;
    } finally {
      this.#end(code === resultCode.row ? resultCode.done : code);
    }
  }

  free(): void {
    this.#sqlite.call.sqlite3_finalize(this.#pointer);
  }

  #end(code: number): void {
    const error = code === resultCode.done ? undefined : this.#fail(code);
    this.#sqlite.call.sqlite3_reset(this.#pointer);
    this.#arena.release();
    if (error !== undefined) throw error;
  }

  #bind(values: readonly SqlValue[], keep: number): void {
    this.#arena.reserve(spaceFor(values));
    for (let i = 0; i < values.length; i++) {
      const code = this.#bindOne(i + 1, values[i], keep);
      if (code !== resultCode.ok) throw this.#fail(code);
    }
  }

  #bindOne(at: number, value: SqlValue, keep: number): number {
    const { call } = this.#sqlite;
    const statement = this.#pointer;
    if (typeof value === 'string') {
      const address = this.#arena.text(value);
      return call.sqlite3_bind_text(statement, at, address, this.#arena.length, keep);
    }
    if (typeof value === 'number') {
      // There is no 64-bit bind: a column of INTEGER affinity makes whole numbers of doubles.
      return value === (value | 0)
        ? call.sqlite3_bind_int(statement, at, value)
        : call.sqlite3_bind_double(statement, at, value);
    }
    if (typeof value === 'boolean') return call.sqlite3_bind_int(statement, at, value ? 1 : 0);
    if (value === null || value === undefined) {
      return call.sqlite3_bind_blob(statement, at, 0, 0, KEEP);
    }
    const address = this.#arena.bytes(value);
    return call.sqlite3_bind_blob(statement, at, address, value.length, keep);
  }
}

/** Upper bound in bytes. */
function spaceFor(values: readonly SqlValue[]): number {
  let bytes = 1;
  for (const value of values) {
    if (typeof value === 'string') bytes += spaceForText(value);
    else if (value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}

/** UTF-8 needs three bytes at most for a UTF-16 unit; only a long text is worth a closer look. */
function spaceForText(text: string): number {
  return text.length < 1024 ? text.length * 3 : Buffer.byteLength(text);
}
