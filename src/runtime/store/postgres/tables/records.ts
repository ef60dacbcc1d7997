import { WeirError } from '../../../../protocol/errors.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { Value } from '../arrays.ts';
import type { Change } from '../change.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../row-table.ts';

/** How the records of one table lie in it. */
export interface RecordTable<T> {
  readonly name: string;
  /** Beside `row` and `id`. */
  readonly columnsOf: (record: T) => Readonly<Record<string, Value>>;
  readonly read: (row: Row) => T;
}

/** One table of the configuration: whole in memory, and written through. */
export class Records<T extends { readonly id: string }> {
  readonly memory: ResourceMemory<T>;
  readonly #engine: Engine;
  readonly #table: RecordTable<T>;

  constructor(engine: Engine, table: RecordTable<T>, records: readonly T[]) {
    this.memory = new ResourceMemory(records);
    this.#engine = engine;
    this.#table = table;
  }

  static async load<T extends { readonly id: string }>(
    engine: Engine,
    table: RecordTable<T>,
  ): Promise<Records<T>> {
    const rows = await engine.read(`SELECT * FROM ${table.name} ORDER BY row`);
    return new Records(
      engine,
      table,
      rows.map((row) => table.read(row)),
    );
  }

  /** @throws WeirError('conflict') for an id that is there */
  insert(change: Change, record: T, row = this.#engine.numbers.next()): void {
    if (this.memory.has(record.id)) {
      throw new WeirError('conflict', `The store has such a record already (${record.id}).`);
    }
    const columns = this.#table.columnsOf(record);
    const names = ['row', 'id', ...Object.keys(columns)];
    const places = names.map((_, i) => `$${i + 1}`).join(', ');
    change.run(`INSERT INTO ${this.#table.name} (${names.join(', ')}) VALUES (${places})`, [
      row,
      record.id,
      ...Object.values(columns),
    ]);
    this.memory.set(record);
  }

  /** The one with its id. */
  update(change: Change, record: T): T {
    const columns = this.#table.columnsOf(record);
    const sets = Object.keys(columns).map((name, i) => `${name} = $${i + 2}`);
    change.run(`UPDATE ${this.#table.name} SET ${sets.join(', ')} WHERE id = $1`, [
      record.id,
      ...Object.values(columns),
    ]);
    this.memory.set(record);
    return record;
  }

  delete(change: Change, id: string): void {
    change.run(`DELETE FROM ${this.#table.name} WHERE id = $1`, [id]);
    this.memory.delete(id);
  }
}
