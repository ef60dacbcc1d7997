import { compareEventIds, type EventId } from '../event-id.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { EmitterOwner } from '../emitter-owner.ts';
import type { Connection } from './wasm/connection.ts';

/** Facts about an emitter that the hot path needs without reading a row. */
export interface EmitterKey {
  readonly id: string;
  /** The small integer its rows carry. */
  readonly row: number;
  /** Fence of the accepted writes (`TakenEmitter.fence`). */
  fence: number;
  /** Number of its newest log line. */
  lastLog: number;
  newestEvent: EventId | undefined;
  /** Number of the newest `unique` id it remembers. */
  lastDedupeSeq: number;
  /** The strategy of the dedupe row; null if there is none. */
  strategy: string | null;
}

const none = { lastLog: 0, newestEvent: undefined, lastDedupeSeq: 0, strategy: null };

/** All emitters by id and by row, in memory. */
export class EmitterKeys {
  readonly #db: Connection;
  readonly #byId = new Map<string, EmitterKey>();
  readonly #byRow = new Map<number, EmitterKey>();

  /** @param fence of the emitters that are there */
  constructor(db: Connection, fence: number) {
    this.#db = db;
    const newest = db.prepare(
      'SELECT ms, seq FROM events WHERE emitter = ? ORDER BY ms DESC, seq DESC LIMIT 1',
    );
    const read = db.prepare(
      `SELECT e.row AS row, id, newest_ms, newest_seq, strategy,
         coalesce((SELECT max(n) FROM logs l WHERE l.emitter = e.row), 0) AS log,
         coalesce((SELECT max(seq) FROM dedupe_ids d WHERE d.emitter = e.row), 0) AS seq
       FROM emitters e LEFT JOIN dedupe ON dedupe.emitter = e.row`,
    );
    for (const row of read.each()) {
      const key = this.add(row.text('id'), row.number('row'), fence, {
        lastLog: row.number('log'),
        lastDedupeSeq: row.number('seq'),
        strategy: row.textOrNull('strategy'),
        newestEvent: row.isNull('newest_ms')
          ? undefined
          : { ms: row.number('newest_ms'), seq: row.number('newest_seq') },
      });
      const id = newest.get(
        (found) => ({ ms: found.number('ms'), seq: found.number('seq') }),
        key.row,
      );
      if (id !== undefined) sawEvent(key, id);
    }
  }

  add(
    id: string,
    row: number,
    fence: number,
    known: Omit<EmitterKey, 'id' | 'row' | 'fence'> = none,
  ): EmitterKey {
    const key = { id, row, fence, ...known };
    this.#byId.set(id, key);
    this.#byRow.set(row, key);
    return key;
  }

  /** The write that deleted it was refused. */
  restore(key: EmitterKey): void {
    this.#byId.set(key.id, key);
    this.#byRow.set(key.row, key);
  }

  remove(id: string): void {
    const key = this.#byId.get(id);
    if (key !== undefined) this.#byRow.delete(key.row);
    this.#byId.delete(id);
  }

  get(id: string): EmitterKey | undefined {
    return this.#byId.get(id);
  }

  rowOf(id: string): number | undefined {
    return this.#byId.get(id)?.row;
  }

  /** @throws WeirError('not_found') */
  require(id: string): EmitterKey {
    const key = this.#byId.get(id);
    if (key === undefined)
      throw new WeirError('not_found', `There is no ${kindOf(id) ?? 'source'} ${id}.`);
    return key;
  }

  /** For its owner only. @throws WeirError('not_found'), WeirError('conflict') for a fence of another owner */
  owned(id: string, fence: number): EmitterKey {
    const key = this.require(id);
    if (key.fence === fence) return key;
    throw new WeirError('conflict', `Another runtime has taken over ${id}: nothing was stored.`);
  }

  /** The same, but a deleted emitter has nothing left to write to. @throws WeirError('conflict') */
  ownedIfThere({ id, fence }: EmitterOwner): EmitterKey | undefined {
    return this.#byId.has(id) ? this.owned(id, fence) : undefined;
  }

  /** @throws when rows of an emitter outlived it, which a deletion does not leave. */
  idOf(row: number): string {
    const key = this.#byRow.get(row);
    if (key === undefined) throw new Error(`No emitter has row ${row}.`);
    return key.id;
  }

  all(): Iterable<EmitterKey> {
    return this.#byId.values();
  }

  /** Within the write that deletes events: its newest id must not come back. */
  saveNewestEvent({ row, newestEvent }: EmitterKey): void {
    this.#db
      .prepare('UPDATE emitters SET newest_ms = ?, newest_seq = ? WHERE row = ?')
      .run(newestEvent?.ms, newestEvent?.seq, row);
  }
}

export function sawEvent(key: EmitterKey, id: EventId): void {
  if (key.newestEvent === undefined || compareEventIds(id, key.newestEvent) > 0) {
    key.newestEvent = id;
  }
}
