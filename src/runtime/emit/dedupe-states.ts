import type { DedupeChange } from '../store/commit.ts';
import type { DedupeRecord } from '../store/configuration/sources.ts';
import type { DedupeState } from './dedupe.ts';
import { uniqueLimit } from './unique-window.ts';

/** The dedupe state of every source that has emitted, in memory: read once, then kept up by changes. */
export class DedupeStates {
  readonly #read: (sourceId: string) => DedupeRecord;
  readonly #states = new Map<string, MutableState>();

  /** @param read what is stored (`store.sources.dedupe`). */
  constructor(read: (sourceId: string) => DedupeRecord) {
    this.#read = read;
  }

  get(sourceId: string): DedupeState {
    return this.#of(sourceId);
  }

  /** The commits that store the changes follow in the same order. */
  apply(sourceId: string, change: DedupeChange): void {
    applyChange(this.#of(sourceId), change);
  }

  /** After the source is gone, or a commit failed: what is stored is read again. */
  forget(sourceId: string): void {
    this.#states.delete(sourceId);
  }

  #of(sourceId: string): MutableState {
    let state = this.#states.get(sourceId);
    if (state === undefined) {
      state = { ...this.#read(sourceId), ids: new Set(this.#read(sourceId).ids) };
      this.#states.set(sourceId, state);
    }
    return state;
  }
}

interface MutableState {
  strategy: string | null;
  readonly ids: Set<string>;
  greatest?: number | undefined;
  last?: string | undefined;
}

function applyChange(state: MutableState, change: DedupeChange): void {
  if (change.reset === true) {
    state.ids.clear();
    state.greatest = undefined;
    state.last = undefined;
  }
  state.strategy = change.strategy;
  for (const id of change.append ?? []) remember(state.ids, id);
  state.greatest = change.greatest ?? state.greatest;
  state.last = change.last ?? state.last;
}

function remember(ids: Set<string>, id: string): void {
  // One that was forgotten within the batch comes back as the newest.
  ids.delete(id);
  ids.add(id);
  if (ids.size <= uniqueLimit) return;
  for (const oldest of ids) {
    ids.delete(oldest);
    return;
  }
}
