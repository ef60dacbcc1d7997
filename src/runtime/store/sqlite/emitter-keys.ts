import type { Connection } from './wasm/connection.ts';

/** What the hot path has to know of a source without reading a row. */
export interface SourceKey {
  readonly id: string;
  /** The small integer its rows carry. */
  readonly row: number;
  /** Number of the newest `unique` id it remembers. */
  lastDedupeSeq: number;
  /** The strategy of the dedupe row; null when there is none. */
  strategy: string | null;
}

/** All sources by id and by row, in memory. */
export class SourceKeys {
  readonly #byId = new Map<string, SourceKey>();
  readonly #byRow = new Map<number, SourceKey>();

  constructor(db: Connection) {
    const read = db.prepare(
      `SELECT s.row AS row, id, strategy,
         coalesce((SELECT max(seq) FROM dedupe_ids d WHERE d.source = s.row), 0) AS seq
       FROM sources s LEFT JOIN dedupe ON dedupe.source = s.row`,
    );
    for (const row of read.each()) {
      this.add(row.text('id'), row.number('row'), row.number('seq'), row.textOrNull('strategy'));
    }
  }

  add(id: string, row: number, lastDedupeSeq = 0, strategy: string | null = null): void {
    const key = { id, row, lastDedupeSeq, strategy };
    this.#byId.set(id, key);
    this.#byRow.set(row, key);
  }

  remove(id: string): void {
    const key = this.#byId.get(id);
    if (key !== undefined) this.#byRow.delete(key.row);
    this.#byId.delete(id);
  }

  get(id: string): SourceKey | undefined {
    return this.#byId.get(id);
  }

  /** @throws when rows of a source outlived it, which a deletion does not leave. */
  idOf(row: number): string {
    const key = this.#byRow.get(row);
    if (key === undefined) throw new Error(`No source has row ${row}.`);
    return key.id;
  }

  all(): Iterable<SourceKey> {
    return this.#byId.values();
  }
}
