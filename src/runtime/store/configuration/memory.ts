import { badCursor, type PageOf, type PageRequest } from '../page.ts';

/**
 * One table of the configuration, whole and in the memory of every runtime: it is small, and triggers,
 * the planner and delivery ask it for each event, so its reads answer at once. A store fills it when
 * it opens and keeps it up with each change, in the order they were made.
 */
export class ResourceMemory<T extends { readonly id: string }> {
  readonly #byId = new Map<string, T>();

  /** @param records in the order they were made */
  constructor(records: Iterable<T>) {
    for (const record of records) this.#byId.set(record.id, record);
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** In the order they were made. */
  all(): T[] {
    return [...this.#byId.values()];
  }

  find(matches: (record: T) => boolean): T | undefined {
    for (const record of this.#byId.values()) if (matches(record)) return record;
    return undefined;
  }

  /** New ones go to the end, known ones keep their place. */
  set(record: T): void {
    this.#byId.set(record.id, record);
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }

  /** Ids of the records that were made after it. */
  after(id: string): string[] {
    const ids = [...this.#byId.keys()];
    return ids.slice(ids.indexOf(id) + 1);
  }

  /**
   * The write that changed or deleted the record was refused.
   * @param following ids of the records that were made after it
   */
  restore(record: T, following: readonly string[]): void {
    if (this.has(record.id)) {
      this.set(record);
      return;
    }
    const later = new Set(following);
    const all = this.all();
    const place = all.findIndex(({ id }) => later.has(id));
    this.#byId.clear();
    for (const one of all.toSpliced(place === -1 ? all.length : place, 0, record)) this.set(one);
  }

  /**
   * One page, in the order they were made. @throws WeirError('bad_input') on a cursor that is not of
   * this list, or whose record is gone.
   */
  list(request: PageRequest, matches: (record: T) => boolean = () => true): PageOf<T> {
    const all = this.all().filter(matches);
    const placeOf = (cursor: string): number => {
      const place = all.findIndex(({ id }) => idCursor(id) === cursor);
      if (place === -1) throw badCursor(cursor);
      return place;
    };
    const { after, before, limit } = request;
    const from = after === undefined ? 0 : placeOf(after) + 1;
    const to = before === undefined ? all.length : placeOf(before);
    const backwards = before !== undefined && after === undefined;
    const rows = backwards
      ? all.slice(Math.max(from, to - limit), to)
      : all.slice(from, Math.min(to, from + limit));
    const [first, last] = [rows.at(0), rows.at(-1)];
    return {
      rows,
      total: all.length,
      start: first === undefined ? null : idCursor(first.id),
      end: last === undefined ? null : idCursor(last.id),
    };
  }
}

/** Cursor of a resource: the unpadded base64 of its id (P16.6). */
function idCursor(id: string): string {
  return Buffer.from(id).toString('base64').replace(/=+$/u, '');
}
