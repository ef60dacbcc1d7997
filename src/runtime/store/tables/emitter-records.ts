import { WeirError } from '../../../protocol/errors.ts';
import type { ResourceMemory } from '../configuration/memory.ts';
import type { InterfaceRecord } from '../configuration/sources.ts';
import { uniqueSlug } from '../configuration/unique-slug.ts';
import type { WorkflowDeploymentRecord } from '../configuration/workflows.ts';
import { interfaces as interfaceTable } from '../schema/configuration.ts';
import type { RecordChanges } from '../shared.ts';
import {
  columnIn,
  insertRow,
  selectRecords,
  type TableChange,
  type TableEngine,
} from './engine.ts';
import type { Records } from './records.ts';

interface EmitterRecord {
  readonly id: string;
  readonly slug: string;
  readonly interfaces: readonly InterfaceRecord[];
}

/** The part of an engine that knows which emitters there are, and who owns them. */
export interface Emitters {
  rowOf(id: string): number | undefined;
  /** @throws WeirError('not_found') */
  require(id: string): { readonly row: number };
  /** @throws WeirError('not_found'), WeirError('conflict') for a fence of another owner */
  owned(id: string, fence: number): unknown;
  isOwned(id: string): boolean;
  /** Within a write: makes it an emitter of this runtime. @returns its row, for its record */
  insert(change: TableChange, id: string): number;
  /** Once nothing of its write can be refused any more. */
  inserted(change: TableChange, id: string, row: number): void;
  /** Within a write: deletes everything the emitter has, but not its record. Returns false where there is no emitter. */
  delete(change: TableChange, id: string): boolean;
  /** SQL that selects the `id` of each deployment that an unfinished execution began with. */
  readonly unfinishedDeployments: string;
  /** For an engine that records which components deployments use. */
  deploymentInserted?(change: TableChange, deployment: WorkflowDeploymentRecord): void;
  deploymentDeleted?(change: TableChange, id: string): void;
}

/** The common part of emitters: a row, a slug of their own, interfaces with moving ticks. */
export class EmitterRecords<R extends EmitterRecord> {
  readonly memory: ResourceMemory<R>;
  readonly #engine: TableEngine;
  readonly #owners: Emitters;
  readonly #records: Records<R>;
  readonly #what: string;

  /** @param what they are, as messages say it */
  constructor(
    engine: TableEngine,
    owners: Emitters,
    records: Records<R>,
    what: 'source' | 'workflow',
  ) {
    this.#engine = engine;
    this.#owners = owners;
    this.#records = records;
    this.#what = what;
    this.memory = records.memory;
  }

  /** @throws WeirError('not_found') */
  require(id: string): R {
    const record = this.memory.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no ${this.#what} ${id}.`);
    return record;
  }

  bySlug(slug: string): R | undefined {
    return this.memory.find((one) => one.slug === slug);
  }

  find(idOrSlug: string): R | undefined {
    return this.memory.get(idOrSlug) ?? this.bySlug(idOrSlug);
  }

  /** The slug, or the first like it that no other one has. */
  freeSlug(slug: string, id: string): string {
    const others = this.memory.all().filter((one) => one.id !== id);
    return uniqueSlug(slug, new Set(others.map((one) => one.slug)));
  }

  /** Makes a new one an emitter of this runtime. @throws WeirError('conflict') for an id that is there */
  add(change: TableChange, record: R): void {
    this.#requireFree(record.interfaces, undefined);
    this.#records.requireFree(record.id);
    const row = this.#owners.insert(change, record.id);
    for (const one of record.interfaces) this.#insertInterface(change, row, one);
    this.#records.insert(change, record, row);
    this.#owners.inserted(change, record.id, row);
  }

  update(change: TableChange, record: R): R {
    return this.#records.update(change, record);
  }

  /**
   * Within the write that updates the record with them. Where another runtime owns the emitter, interfaces that stay
   * as they are keep the tick that it has moved.
   */
  replaceInterfaces(change: TableChange, { id, interfaces }: R): void {
    this.#requireFree(interfaces, id);
    const { row } = this.#owners.require(id);
    const before = this.#owners.isOwned(id) ? [] : (this.memory.get(id)?.interfaces ?? []);
    const isKept = (one: InterfaceRecord): boolean =>
      before.some((known) => isSameInterface(known, one));
    const kept = interfaces.filter(isKept).map((one) => one.id);
    const others = kept.length === 0 ? '' : `AND id NOT IN (${kept.map(() => '?').join(', ')})`;
    change.statement(`DELETE FROM interfaces WHERE ${this.#emitterColumn()} = ? ${others}`, [
      row,
      ...kept,
    ]);
    for (const one of interfaces) {
      if (!isKept(one)) this.#insertInterface(change, row, one);
      else {
        // Its place among the others.
        const place = this.#engine.nextNumber();
        change.statement('UPDATE interfaces SET row = ? WHERE id = ?', [place, one.id]);
      }
    }
  }

  /** @throws WeirError('not_found') when it has no such interface */
  requireInterface(id: string, interfaceId: string): void {
    if (this.require(id).interfaces.some((one) => one.id === interfaceId)) return;
    throw new WeirError('not_found', `There is no interface ${interfaceId}.`);
  }

  moveTick(change: TableChange, id: string, interfaceId: string, nextAt: number | undefined): void {
    change.statement('UPDATE interfaces SET next_at = ? WHERE id = ?', [nextAt, interfaceId]);
    const record = this.require(id);
    this.#records.remember(change, {
      ...record,
      interfaces: record.interfaces.map(({ nextAt: before, ...rest }) => {
        const at = rest.id === interfaceId ? nextAt : before;
        return at === undefined ? rest : { ...rest, nextAt: at };
      }),
    });
  }

  /** Reads again when its timers tick, which its owner on another node has changed. */
  async refreshTicks(id: string): Promise<void> {
    const rows = await selectRecords(
      this.#engine,
      interfaceTable,
      `WHERE ${this.#emitterColumn()} = ?`,
      [this.#owners.rowOf(id)],
    );
    const record = this.memory.get(id);
    if (record === undefined) return;
    const times = new Map(rows.map((one) => [one.id, one.nextAt]));
    this.memory.set({
      ...record,
      interfaces: record.interfaces.map(({ nextAt: _, ...rest }) => {
        const at = times.get(rest.id);
        return at === undefined ? rest : { ...rest, nextAt: at };
      }),
    });
  }

  /**
   * Reads all records again, also those of this node, which the leader may have changed. When their timers tick is
   * known better here than there.
   */
  reread(isOwn: (id: string) => boolean): Promise<() => RecordChanges> {
    return this.#records.reread((record) => {
      const known = isOwn(record.id) ? this.memory.get(record.id) : undefined;
      if (known === undefined) return record;
      const interfaces = record.interfaces.map((one) => {
        const same = known.interfaces.find((other) => isSameInterface(other, one));
        return same ?? one;
      });
      return { ...record, interfaces };
    });
  }

  /** Deletes the emitter with all its rows. @returns false if there is none */
  delete(change: TableChange, id: string): boolean {
    if (!this.memory.has(id) || !this.#owners.delete(change, id)) return false;
    this.#records.delete(change, id);
    return true;
  }

  /** @throws WeirError('conflict') for one that another emitter has, or that is there twice */
  #requireFree(interfaces: readonly InterfaceRecord[], ofEmitter: string | undefined): void {
    const taken = new Set(
      this.memory
        .all()
        .flatMap((one) => (one.id === ofEmitter ? [] : one.interfaces.map(({ id }) => id))),
    );
    for (const { id } of interfaces) {
      if (taken.has(id)) {
        throw new WeirError('conflict', `The store has such a record already (${id}).`);
      }
      taken.add(id);
    }
  }

  #insertInterface(change: TableChange, emitter: number, one: InterfaceRecord): void {
    const row = {
      row: this.#engine.nextNumber(),
      ...interfaceTable.write({ emitter, ...one }, this.#engine.ids),
    };
    insertRow(this.#engine, change, interfaceTable, row);
  }

  #emitterColumn(): string {
    return columnIn(this.#engine, interfaceTable, 'emitter');
  }
}

/** Adds their interfaces to records that were read. One whose emitter is not known yet was made just now. */
export function withInterfaces<R extends EmitterRecord>(
  engine: TableEngine,
): (records: readonly R[]) => Promise<R[]> {
  return async (records) => {
    const byEmitter = new Map<number, InterfaceRecord[]>();
    for (const { emitter, ...one } of await selectRecords(engine, interfaceTable, 'ORDER BY row')) {
      const found = byEmitter.get(emitter);
      if (found === undefined) byEmitter.set(emitter, [one]);
      else found.push(one);
    }
    return records.flatMap((record) => {
      const row = engine.ids.rowOf(record.id);
      return row === undefined ? [] : [{ ...record, interfaces: byEmitter.get(row) ?? [] }];
    });
  };
}

/** Whether they are one interface, and tick at the same times (pure). */
function isSameInterface(a: InterfaceRecord, b: InterfaceRecord): boolean {
  return (
    a.id === b.id &&
    a.cron === b.cron &&
    a.timezone === b.timezone &&
    a.intervalSeconds === b.intervalSeconds
  );
}
