import { WeirError } from '../../../../protocol/errors.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { Value } from '../arrays.ts';
import type { Change } from '../change.ts';
import type { Engine } from '../engine.ts';
import type { RecordChanges } from '../../shared.ts';
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
  readonly #read: () => Promise<readonly T[]>;

  private constructor(
    engine: Engine,
    table: RecordTable<T>,
    records: readonly T[],
    read: () => Promise<readonly T[]>,
  ) {
    this.memory = new ResourceMemory(records);
    this.#engine = engine;
    this.#table = table;
    this.#read = read;
  }

  /** @param complete adds what another table has of them */
  static async load<T extends { readonly id: string }>(
    engine: Engine,
    table: RecordTable<T>,
    complete: (records: readonly T[]) => Promise<readonly T[]> = async (records) => records,
  ): Promise<Records<T>> {
    const read = async (): Promise<readonly T[]> => {
      const rows = await engine.read(`SELECT * FROM ${table.name} ORDER BY row`);
      return complete(rows.map((row) => table.read(row)));
    };
    return new Records(engine, table, await read(), read);
  }

  /**
   * Reads all anew, as another runtime has left them. Resolves with what makes it so here, in one turn with all else
   * that was read.
   * @param merge is given one as it was read, and returns what it is from now on; undefined: as it is here already
   */
  async reread(merge: (read: T) => T | undefined = (read) => read): Promise<() => RecordChanges> {
    const read = await this.#read();
    return () => {
      const isThere = new Set(read.map(({ id }) => id));
      const records = read.flatMap((one) => merge(one) ?? []);
      const deleted = this.memory
        .all()
        .map(({ id }) => id)
        .filter((id) => !isThere.has(id));
      const changed = records.filter((record) => !isSame(record, this.memory.get(record.id)));
      for (const id of deleted) this.memory.delete(id);
      for (const record of changed) this.memory.set(record);
      return { changed: changed.map(({ id }) => id), deleted };
    };
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
    this.#engine.configuration.changes += 1;
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
    this.#engine.configuration.changes += 1;
    return record;
  }

  delete(change: Change, id: string): void {
    change.run(`DELETE FROM ${this.#table.name} WHERE id = $1`, [id]);
    this.memory.delete(id);
    this.#engine.configuration.changes += 1;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
