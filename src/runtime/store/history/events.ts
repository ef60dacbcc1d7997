import type { EmitterOwner } from '../emitter-owner.ts';
import type { Keep, PageOf, PageRequest, TimeSpan } from '../page.ts';

/** An emitted event before it is stored. */
export interface NewEvent {
  /** `<ms>-<seq>`: unique and ascending within its emitter; the emit room assigns it. */
  readonly id: string;
  readonly indexedAt: number;
  readonly emitId: string;
  /** Channel, '' for the default one. */
  readonly channel: string;
  readonly dedupeId?: string | number | undefined;
  readonly summary?: string | undefined;
  readonly ts?: number | undefined;
  /** JSON text, never parsed by the store. */
  readonly payload: string;
  /** Webhooks that get it: one delivery each, made in the same transaction. */
  readonly webhooks: readonly string[];
  /** Emitters that it triggers: one invocation each (cause `event`), made in the same transaction. */
  readonly triggers: readonly string[];
}

/** An event that a rule held back. */
export interface DroppedEvent {
  readonly id: string;
  readonly at: number;
  readonly channel: string;
  readonly dedupeId?: string | number | undefined;
  readonly summary?: string | undefined;
  readonly payload: string;
  /** Why it was not emitted, as a sentence. */
  readonly reason: string;
}

/** A stored event, emitted or dropped; `indexedAt` in epoch ms. */
export interface EventRecord {
  readonly id: string;
  readonly emitterId: string;
  readonly invocation: number;
  readonly indexedAt: number;
  readonly emitId: string;
  readonly channel: string;
  readonly dedupeId: string | number | null;
  readonly summary: string | null;
  readonly ts: number | null;
  readonly payload: string;
  /** Null for an emitted one, else why not. */
  readonly dropped: string | null;
}

/** Whose event it is. */
interface MadeBy {
  readonly emitterId: string;
  /** Number of the invocation. */
  readonly n: number;
}

/** An event of a commit as the store will read it back. */
export function emittedRecord({ emitterId, n }: MadeBy, event: NewEvent): EventRecord {
  return {
    id: event.id,
    emitterId,
    invocation: n,
    indexedAt: event.indexedAt,
    emitId: event.emitId,
    channel: event.channel,
    dedupeId: event.dedupeId ?? null,
    summary: event.summary ?? null,
    ts: event.ts ?? null,
    payload: event.payload,
    dropped: null,
  };
}

/** The record of an event that was held back. */
export function droppedRecord({ emitterId, n }: MadeBy, drop: DroppedEvent): EventRecord {
  return {
    id: drop.id,
    emitterId,
    invocation: n,
    indexedAt: drop.at,
    emitId: '',
    channel: drop.channel,
    dedupeId: drop.dedupeId ?? null,
    summary: drop.summary ?? null,
    ts: null,
    payload: drop.payload,
    dropped: drop.reason,
  };
}

/** Stored events. Which events a page holds is decided when it is asked for, not when it is read. */
export interface EventTable {
  get(emitterId: string, id: string): Promise<EventRecord | undefined>;
  /** Newest first. */
  list(
    emitterId: string,
    page: PageRequest & {
      /** Reserved channels (`$…`) are listed only when asked for. */
      readonly channel?: string;
      /** Drops as well; without it only what was emitted. */
      readonly dropped?: boolean;
      /** Only events with all these words in summary or payload; see search/words.ts. */
      readonly search?: string;
    },
  ): Promise<PageOf<EventRecord>>;
  ofInvocation(n: number): Promise<EventRecord[]>;
  /** Emitted ones (no drops) after the id, oldest first: what an SSE reader that reconnects missed. */
  after(emitterId: string, id: string, limit: number): Promise<EventRecord[]>;
  /** How many were emitted in each part, oldest first. */
  countOverTime(emitterId: string, span: TimeSpan): Promise<number[]>;
  /** Both ends included. Resolves to how many went. */
  delete(
    owner: EmitterOwner,
    range: { readonly start?: string; readonly end?: string; readonly channel?: string },
  ): Promise<number>;
  /** Applies retention: at most `count` events and `bytes` bytes, none older than `before` (ms), the 100 newest always kept. */
  prune(owner: EmitterOwner, keep: Keep & { readonly bytes: number }): Promise<number>;
  /**
   * Puts the words of the next events, at most so many, into the index that `list` searches, because
   * that costs twenty times what an event's commit does. Until then a search reads those events one by
   * one. Resolves to true when there are more.
   */
  index(emitterId: string, most: number): Promise<boolean>;
}
