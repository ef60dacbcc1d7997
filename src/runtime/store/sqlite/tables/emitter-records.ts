import { WeirError } from '../../../../protocol/errors.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { InterfaceRecord } from '../../configuration/sources.ts';
import { uniqueSlug } from '../../configuration/unique-slug.ts';
import type { Engine } from '../engine.ts';
import type { EventSearch } from '../search/event-search.ts';
import { deleteEmitter } from './delete-emitter.ts';
import { interfacesOf, replaceInterfaces } from './interfaces.ts';

interface EmitterRecord {
  readonly id: string;
  readonly slug: string;
  readonly interfaces: readonly InterfaceRecord[];
}

/** What sources and workflows have in common: an emitter's row, a slug of their own, interfaces whose ticks move. */
export class EmitterRecords<R extends EmitterRecord> {
  readonly memory: ResourceMemory<R>;
  readonly #engine: Engine;
  readonly #search: EventSearch;
  readonly #what: string;

  /**
   * @param what they are, as messages say it
   * @param rows as they are in their table; their interfaces are read here
   */
  constructor(
    engine: Engine,
    search: EventSearch,
    what: 'source' | 'workflow',
    rows: readonly Omit<R, 'interfaces'>[],
  ) {
    this.#engine = engine;
    this.#search = search;
    this.#what = what;
    const { db, keys } = engine;
    const whole = rows.map((row) => {
      const interfaces = interfacesOf(db, keys.require((row as R).id).row);
      return { ...row, interfaces } as unknown as R;
    });
    this.memory = new ResourceMemory(whole);
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

  /**
   * Makes a new one an emitter, with its interfaces.
   * @param insert writes its own row, which has the number of the emitter's
   */
  add(record: R, insert: (row: number) => void): void {
    const { db, keys, fence } = this.#engine;
    const emitter = db.prepare('INSERT INTO emitters (id) VALUES (?) RETURNING row');
    const row = emitter.get((made) => made.number('row'), record.id);
    if (row === undefined) throw new Error(`The row of ${record.id} is missing.`);
    insert(row);
    replaceInterfaces(db, row, record.interfaces);
    // Not before: what is refused until here has not happened.
    keys.add(record.id, row, fence);
    this.memory.set(record);
  }

  replaceInterfaces({ id, interfaces }: R): void {
    const { db, keys } = this.#engine;
    replaceInterfaces(db, keys.require(id).row, interfaces);
  }

  /** @throws WeirError('not_found') when it has no such interface */
  requireInterface(id: string, interfaceId: string): void {
    if (this.require(id).interfaces.some((one) => one.id === interfaceId)) return;
    throw new WeirError('not_found', `There is no interface ${interfaceId}.`);
  }

  /** Within a write: a timer's next tick is in the store; this is what memory says of it. */
  tickMoved(id: string, interfaceId: string, nextAt: number | undefined): void {
    const record = this.require(id);
    this.memory.set({
      ...record,
      interfaces: record.interfaces.map(({ nextAt: before, ...rest }) => {
        const at = rest.id === interfaceId ? nextAt : before;
        return at === undefined ? rest : { ...rest, nextAt: at };
      }),
    });
  }

  /** Deletes it with all that is an emitter's. @returns false where there is none */
  delete(id: string): boolean {
    const key = this.#engine.keys.get(id);
    if (key === undefined) return false;
    deleteEmitter(this.#engine, key);
    this.#search.forget(key.row);
    this.memory.delete(id);
    this.#engine.keys.remove(id);
    return true;
  }
}
