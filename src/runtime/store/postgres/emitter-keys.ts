import { WeirError } from '../../../protocol/errors.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { EmitterOwner } from '../emitter-owner.ts';
import type { RowCounts } from './row-counts.ts';
import { compareEventIds, type EventId } from '../event-id.ts';

/** Facts about an emitter that the hot path needs without reading a row. */
export interface EmitterKey {
  readonly id: string;
  /** The number its rows carry. */
  readonly row: number;
  /** Undefined while this node does not own it. */
  owned: OwnedEmitter | undefined;
}

export interface OwnedEmitter {
  readonly fence: number;
  /** Its last owner ended cleanly. */
  readonly released: boolean;
  /** Number of its newest log line. */
  lastLog: number;
  newestEvent: EventId | undefined;
  /** Number of the newest `unique` id it remembers. */
  lastDedupeSeq: number;
  dedupe: { strategy: string; greatest: number | undefined; last: string | undefined } | undefined;
  /** Invocations without an end. */
  readonly open: Set<number>;
  /** For a workflow: when a person was last notified of an error, epoch ms. */
  readonly notified: Map<string, number>;
  readonly counts: RowCounts;
}

export type OwnedKey = EmitterKey & { readonly owned: OwnedEmitter };

/** All emitters by id and by row, in memory. */
export class EmitterKeys {
  readonly #byId = new Map<string, EmitterKey>();
  readonly #byRow = new Map<number, EmitterKey>();

  add(id: string, row: number, owned?: OwnedEmitter): EmitterKey {
    const key = { id, row, owned };
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
  owned(id: string, fence: number): OwnedKey {
    const key = this.require(id);
    if (isOwned(key) && key.owned.fence === fence) return key;
    throw new WeirError('conflict', `Another runtime has taken over ${id}: nothing was stored.`);
  }

  /** The same, but a deleted emitter has nothing left to write to. @throws WeirError('conflict') */
  ownedIfThere({ id, fence }: EmitterOwner): OwnedKey | undefined {
    return this.#byId.has(id) ? this.owned(id, fence) : undefined;
  }

  byRow(row: number): EmitterKey | undefined {
    return this.#byRow.get(row);
  }

  /** @throws when rows of an emitter outlived it, which a deletion does not leave. */
  idOf(row: number): string {
    const key = this.#byRow.get(row);
    if (key === undefined) throw new Error(`No emitter has row ${row}.`);
    return key.id;
  }

  all(): EmitterKey[] {
    return [...this.#byId.values()];
  }
}

export function isOwned(key: EmitterKey): key is OwnedKey {
  return key.owned !== undefined;
}

export function sawEvent({ owned }: OwnedKey, id: EventId): void {
  if (owned.newestEvent === undefined || compareEventIds(id, owned.newestEvent) > 0) {
    owned.newestEvent = id;
  }
}
