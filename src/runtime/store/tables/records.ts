import { WeirError } from '../../../protocol/errors.ts';
import { AheadOfStore } from '../../base/ahead-of-store.ts';
import { ResourceMemory } from '../configuration/memory.ts';
import type { Row } from '../schema/column.ts';
import type { RecordTable } from '../schema/table.ts';
import type { RecordChanges } from '../shared.ts';
import {
  insertRow,
  selectRecords,
  type TableChange,
  type TableEngine,
  upsertRow,
} from './engine.ts';

/** A record's columns; what another table has of it is added by `complete`. */
type Stored<T> = RecordTable<T> | RecordTable<Omit<T, 'interfaces'>>;

/** One table of the configuration: whole in memory, and written through. */
export class Records<T extends { readonly id: string }> {
  readonly memory: ResourceMemory<T>;
  readonly #engine: TableEngine;
  readonly #table: RecordTable<T>;
  readonly #read: () => Promise<readonly T[]>;
  readonly #ahead = new AheadOfStore<{ readonly record: T; readonly following: readonly string[] }>(
    (id, before) => {
      if (before === undefined) this.memory.delete(id);
      else this.memory.restore(before.record, before.following);
    },
  );

  private constructor(
    engine: TableEngine,
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
    engine: TableEngine,
    stored: Stored<T>,
    complete: (records: readonly T[]) => Promise<readonly T[]> = async (records) => records,
  ): Promise<Records<T>> {
    const table = stored as RecordTable<T>;
    const read = async (): Promise<readonly T[]> =>
      complete(await selectRecords(engine, table, 'ORDER BY row'));
    return new Records(engine, table, await read(), read);
  }

  /**
   * Reads all records again, as another runtime has left them. Resolves with a function that applies them to memory,
   * so that everything that was read can change in one turn of the loop.
   * @param merge is given a record as it was read, and returns the record from now on; undefined keeps the one in memory
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
  insert(change: TableChange, record: T, row = this.#engine.nextNumber()): void {
    this.requireFree(record.id);
    insertRow(this.#engine, change, this.#table, { row, ...this.#rowOf(record) });
    this.remember(change, record);
    this.#engine.configurationChanged();
  }

  /** Before anything of a write is done that could not be undone in memory. @throws WeirError('conflict') */
  requireFree(id: string): void {
    if (!this.memory.has(id)) return;
    throw new WeirError('conflict', `The store has such a record already (${id}).`);
  }

  /** The one with its id. */
  update(change: TableChange, record: T): T {
    const { id, ...row } = this.#rowOf(record);
    const sets = Object.keys(row).map((name) => `${name} = ?`);
    change.statement(`UPDATE ${this.#table.name} SET ${sets.join(', ')} WHERE id = ?`, [
      ...Object.values(row),
      id,
    ]);
    this.remember(change, record);
    this.#engine.configurationChanged();
    return record;
  }

  delete(change: TableChange, id: string): void {
    change.statement(`DELETE FROM ${this.#table.name} WHERE id = ?`, [id]);
    this.#changes(change, id, this.memory.after(id));
    this.memory.delete(id);
    this.#engine.configurationChanged();
  }

  /** As the write leaves it, of which columns are written elsewhere. */
  remember(change: TableChange, record: T): void {
    this.#changes(change, record.id, []);
    this.memory.set(record);
  }

  #changes({ memory }: TableChange, id: string, following: readonly string[]): void {
    const record = this.memory.get(id);
    memory.add(this.#ahead.changed(id, record && { record, following }));
  }

  #rowOf(record: T): Row {
    return this.#table.write(record, this.#engine.ids);
  }
}

/** A table of the configuration whose rows have no id but a key of their own. */
export class KeyedRecords<T> {
  readonly #engine: TableEngine;
  readonly #table: RecordTable<T>;
  readonly #key: string & keyof T;
  readonly #byKey = new Map<string, T>();
  readonly #ahead = new AheadOfStore<T>((key, record) => {
    if (record === undefined) this.#byKey.delete(key);
    else this.#byKey.set(key, record);
  });

  private constructor(engine: TableEngine, table: RecordTable<T>, key: string & keyof T) {
    this.#engine = engine;
    this.#table = table;
    this.#key = key;
  }

  /** @param key the field that is unique, held by a column of the same name */
  static async load<T>(
    engine: TableEngine,
    table: RecordTable<T>,
    key: string & keyof T,
  ): Promise<KeyedRecords<T>> {
    const records = new KeyedRecords(engine, table, key);
    (await records.reread())();
    return records;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** All records; those with a row number in the order in which they were made. */
  all(): T[] {
    return [...this.#byKey.values()];
  }

  /** See `Records.reread`. */
  async reread(): Promise<() => void> {
    const order = 'row' in this.#table.columns ? 'ORDER BY row' : '';
    const read = await selectRecords(this.#engine, this.#table, order);
    return () => {
      this.#byKey.clear();
      for (const record of read) this.#byKey.set(String(record[this.#key]), record);
    };
  }

  /** Replaces the one with the same key. */
  put(change: TableChange, record: T): void {
    const columns = this.#table.write(record, this.#engine.ids);
    const row =
      'row' in this.#table.columns ? { row: this.#engine.nextNumber(), ...columns } : columns;
    upsertRow(this.#engine, change, this.#table, row, [this.#key]);
    this.remember(change, record);
    this.#engine.configurationChanged();
  }

  /** As the write leaves it. */
  remember({ memory }: TableChange, record: T): void {
    const key = String(record[this.#key]);
    memory.add(this.#ahead.changed(key, this.#byKey.get(key)));
    this.#byKey.set(key, record);
  }

  /** Returns false if there is none. */
  delete(change: TableChange, key: string): boolean {
    change.statement(`DELETE FROM ${this.#table.name} WHERE ${this.#key} = ?`, [key]);
    this.#engine.configurationChanged();
    change.memory.add(this.#ahead.changed(key, this.#byKey.get(key)));
    return this.#byKey.delete(key);
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
