import { Arena } from './arena.ts';
import { resultCode, SqliteError } from './result-code.ts';
import { Statement } from './statement.ts';
import type { Sqlite } from './sqlite.ts';

/** One connection to a database file. */
export class Connection {
  readonly #sqlite: Sqlite;
  readonly #arena: Arena;
  readonly #database: number;
  readonly #explain: (error: SqliteError) => Error;
  readonly #statements = new Map<string, Statement>();

  /**
   * @param name virtual path that `HostFiles` maps to the real one.
   * @param explain makes a sentence for people of what the disk refused. A constraint that was hurt
   * stays a SqliteError: its caller knows what it means.
   */
  constructor(sqlite: Sqlite, name: string, explain: (error: SqliteError) => Error) {
    this.#explain = explain;
    this.#sqlite = sqlite;
    this.#arena = new Arena(sqlite.call, sqlite.memory);
    const { code, result } = this.#withText(name, (text, to) => sqlite.call.sqlite3_open(text, to));
    this.#database = result;
    if (code !== resultCode.ok) throw this.#error(code);
  }

  /** Compiled once and kept: ask again with the same text. */
  prepare(sql: string): Statement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#compile(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** One statement without values. */
  run(sql: string): void {
    this.prepare(sql).run();
  }

  /** Sets or asks; the answer is the column of that name. Never kept: some run while they compile. */
  pragma(name: string, value?: string | number): string | number | null {
    const statement = this.#compile(`PRAGMA ${name}${value === undefined ? '' : ` = ${value}`}`);
    try {
      return statement.get((row) => row.value(name)) ?? null;
    } finally {
      statement.free();
    }
  }

  /** Rows the latest INSERT, UPDATE or DELETE touched. */
  get changes(): number {
    return this.#sqlite.call.sqlite3_changes(this.#database);
  }

  /** All or nothing, for the times when no group is open. */
  transaction(work: () => void): void {
    this.run('BEGIN IMMEDIATE');
    try {
      work();
      this.run('COMMIT');
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** After an error that was reported already: SQLite may have rolled back by itself, and then refuses. */
  rollBack(): void {
    try {
      this.run('ROLLBACK');
    } catch {
      return;
    }
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.free();
    this.#statements.clear();
    const code = this.#sqlite.call.sqlite3_close_v2(this.#database);
    if (code !== resultCode.ok) throw new SqliteError(code, 'could not be closed');
  }

  #compile(sql: string): Statement {
    const { code, result } = this.#withText(sql, (text, to) =>
      this.#sqlite.call.sqlite3_prepare_v2(this.#database, text, -1, to, 0),
    );
    if (code !== resultCode.ok) throw this.#error(code);
    return new Statement(this.#sqlite, this.#arena, result, (failed) => this.#error(failed));
  }

  #error(code: number): Error {
    const { call, memory } = this.#sqlite;
    const error = new SqliteError(code, memory.cString(call.sqlite3_errmsg(this.#database)));
    return error.code === resultCode.constraint ? error : this.#explain(error);
  }

  /** Calls with a C string and a place for one resulting address. */
  #withText(
    text: string,
    call: (text: number, result: number) => number,
  ): { code: number; result: number } {
    const { call: sqlite, memory } = this.#sqlite;
    const bytes = Buffer.from(`${text}\0`);
    const at = sqlite.malloc(8 + bytes.length);
    memory.bytes.set(bytes, at + 8);
    const code = call(at + 8, at);
    const result = memory.words[at >> 2] ?? 0;
    sqlite.free(at);
    return { code, result };
  }
}
