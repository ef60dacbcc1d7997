import type { Sqlite } from './sqlite.ts';

const INTEGER = 1;
const FLOAT = 2;
const TEXT = 3;
const BLOB = 4;
const NULL = 5;

/** The current row of a statement; valid until its next step. Columns go by name. */
export class Row {
  readonly #sqlite: Sqlite;
  readonly #statement: number;
  readonly #columns = new Map<string, number>();

  constructor(sqlite: Sqlite, statement: number) {
    this.#sqlite = sqlite;
    this.#statement = statement;
    const count = sqlite.call.sqlite3_column_count(statement);
    for (let i = 0; i < count; i++) {
      const name = sqlite.call.sqlite3_column_name(statement, i);
      this.#columns.set(sqlite.memory.cString(name), i);
    }
  }

  number(name: string): number {
    return this.#sqlite.call.sqlite3_column_double(this.#statement, this.#column(name));
  }

  text(name: string): string {
    const { call, memory } = this.#sqlite;
    const column = this.#column(name);
    const address = call.sqlite3_column_text(this.#statement, column);
    const length = call.sqlite3_column_bytes(this.#statement, column);
    return memory.bytes.toString('utf8', address, address + length);
  }

  /** A copy. */
  blob(name: string): Uint8Array {
    const { call, memory } = this.#sqlite;
    const column = this.#column(name);
    const address = call.sqlite3_column_blob(this.#statement, column);
    const length = call.sqlite3_column_bytes(this.#statement, column);
    return new Uint8Array(memory.bytes.subarray(address, address + length));
  }

  flag(name: string): boolean {
    return this.number(name) !== 0;
  }

  json(name: string): unknown {
    return JSON.parse(this.text(name));
  }

  numberOrNull(name: string): number | null {
    return this.isNull(name) ? null : this.number(name);
  }

  textOrNull(name: string): string | null {
    return this.isNull(name) ? null : this.text(name);
  }

  /** The stored value, unchanged. */
  value(name: string): string | number | null {
    const type = this.#type(name);
    if (type === TEXT) return this.text(name);
    return type === INTEGER || type === FLOAT ? this.number(name) : null;
  }

  /** Every column under its name. */
  all(): Record<string, string | number | Uint8Array | null> {
    const values: Record<string, string | number | Uint8Array | null> = {};
    for (const name of this.#columns.keys()) {
      values[name] = this.#type(name) === BLOB ? this.blob(name) : this.value(name);
    }
    return values;
  }

  isNull(name: string): boolean {
    return this.#type(name) === NULL;
  }

  #type(name: string): number {
    return this.#sqlite.call.sqlite3_column_type(this.#statement, this.#column(name));
  }

  #column(name: string): number {
    const column = this.#columns.get(name);
    if (column === undefined) throw new Error(`The statement has no column "${name}".`);
    return column;
  }
}
