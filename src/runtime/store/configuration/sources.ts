import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { PageOf, PageRequest } from '../page.ts';

/** An HTTP endpoint or a timer of a source. */
export interface InterfaceRecord {
  /** `hi_…` or `ti_…`. */
  readonly id: string;
  readonly prop: string;
  readonly kind: 'http' | 'timer';
  /** Timers only. Exactly one of the two is set. */
  readonly intervalSeconds?: number;
  readonly cron?: string;
  readonly timezone?: string;
  /** Epoch ms of the next tick; absent while inactive. */
  readonly nextAt?: number;
}

/** A deployed source; times in epoch ms. */
export interface SourceRecord {
  readonly id: string;
  readonly componentId: string;
  readonly name: string;
  readonly slug: string;
  /**
   * True until the hooks of its first deploy have succeeded. A source that is still deploying at
   * start-up was cut off by a crash: its deploy was never acknowledged, so it is removed.
   */
  readonly deploying: boolean;
  readonly active: boolean;
  /** As configured, `__lv` on, secret values sealed (see accounts/seal.ts). */
  readonly configuredProps: Readonly<Record<string, unknown>>;
  /** The definition this instance runs with: the component's own, or the set additionalProps returned. */
  readonly definition: ComponentDefinition;
  readonly interfaces: readonly InterfaceRecord[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface SourceTable {
  get(id: string): SourceRecord | undefined;
  bySlug(slug: string): SourceRecord | undefined;
  /** `dc_…` or slug. */
  find(idOrSlug: string): SourceRecord | undefined;
  all(): SourceRecord[];
  list(page: PageRequest): PageOf<SourceRecord>;
  slugs(): Set<string>;
  insert(record: SourceRecord): Promise<void>;
  replace(record: SourceRecord): Promise<void>;
  setNextTick(interfaceId: string, nextAt: number | undefined): Promise<void>;
  /** With its events, logs, invocations, deliveries, db, dedupe state and subscriptions. */
  delete(id: string): Promise<void>;
  /** prop → key → JSON text. */
  db(id: string): Record<string, Record<string, string>>;
  dedupe(id: string): DedupeRecord;
}

/** What a strategy remembers. Which field is used depends on the strategy. */
export interface DedupeRecord {
  readonly strategy: string | null;
  /** `unique`: oldest first, 100 at most, each at most 64 characters. */
  readonly ids: readonly string[];
  /** `greatest`. */
  readonly greatest?: number;
  /** `last`. */
  readonly last?: string;
}
