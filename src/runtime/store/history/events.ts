import type { PageOf, PageRequest } from '../page.ts';
import type { TimeSpan } from './time-span.ts';

/** An emitted event before it is stored. */
export interface NewEvent {
  /** `<ms>-<seq>`: unique and ascending within the store; the emit room assigns it. */
  readonly id: string;
  readonly indexedAt: number;
  readonly emitId: string;
  /** Channel, '' for the default one. */
  readonly channel: string;
  readonly dedupeId?: string | number;
  readonly summary?: string;
  readonly ts?: number;
  /** JSON text, never parsed by the store. */
  readonly payload: string;
  /** Webhooks that get it: one delivery each, made in the same transaction. */
  readonly webhooks: readonly string[];
  /** Sources that get it: one invocation each (cause `event`), made in the same transaction. */
  readonly sources: readonly string[];
}

/** What a source emitted and a rule held back. */
export interface DroppedEvent {
  readonly id: string;
  readonly at: number;
  readonly channel: string;
  readonly dedupeId?: string | number;
  readonly summary?: string;
  readonly payload: string;
  /** One sentence: why it was not emitted. */
  readonly reason: string;
}

/** A stored event, emitted or dropped; `indexedAt` in epoch ms. */
export interface EventRecord {
  readonly id: string;
  readonly sourceId: string;
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

export interface EventTable {
  get(sourceId: string, id: string): EventRecord | undefined;
  /** Newest first. */
  list(
    sourceId: string,
    page: PageRequest & {
      /** Reserved channels (`$…`) are listed only when asked for. */
      readonly channel?: string;
      /** Drops as well; without it only what was emitted. */
      readonly dropped?: boolean;
      /** Only events with all these words in summary or payload; see search/words.ts. */
      readonly search?: string;
    },
  ): PageOf<EventRecord>;
  ofInvocation(n: number): EventRecord[];
  /** Emitted ones (no drops) after the id, oldest first: what an SSE reader that reconnects missed. */
  after(sourceId: string, id: string, limit: number): EventRecord[];
  /** How many were emitted in each part, oldest first. */
  countOverTime(sourceId: string, span: TimeSpan): number[];
  /** The newest event id of the whole store, to go on from after a restart. */
  lastId(): string | undefined;
  /** Both ends included. */
  delete(
    sourceId: string,
    range: { readonly start?: string; readonly end?: string; readonly channel?: string },
  ): Promise<number>;
  /** Applies retention to one source: at most `count` events and `bytes` bytes, none older than `before` (ms), the 100 newest always kept. */
  prune(
    sourceId: string,
    keep: { readonly count: number; readonly bytes: number; readonly before: number },
  ): Promise<number>;
}
