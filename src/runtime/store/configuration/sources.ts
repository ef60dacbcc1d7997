import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { EmitterOwner } from '../emitter-owner.ts';
import type { PageOf, PageRequest } from '../page.ts';

/** An HTTP endpoint, a timer, or the address of an app's events, of a source. */
export interface InterfaceRecord {
  /** `ti_…` of a timer, else `hi_…`. */
  readonly id: string;
  readonly prop: string;
  readonly kind: 'http' | 'timer' | 'apphook';
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

/** Commands on a missing source reject with WeirError('not_found'). */
export interface SourceTable {
  get(id: string): SourceRecord | undefined;
  bySlug(slug: string): SourceRecord | undefined;
  /** `dc_…` or slug. */
  find(idOrSlug: string): SourceRecord | undefined;
  all(): SourceRecord[];
  list(page: PageRequest): PageOf<SourceRecord>;
  /** Its slug gets a number if it is taken (`uniqueSlug`); resolves with the stored record. */
  insert(record: SourceRecord): Promise<SourceRecord>;
  /** Replaces all of it except id, slug and creation. Resolves with the stored record. */
  replace(record: SourceRecord): Promise<SourceRecord>;
  /** The slug gets a number if another source has it. Resolves with the stored record. */
  rename(id: string, name: string, slug: string, updatedAt: number): Promise<SourceRecord>;
  /**
   * Ends its deploy: it is active from now on, and has what auto-subscriptions give it (P18.8).
   * @param newId makes the id of a subscription
   * @returns resolves with the ids of the subscriptions that were made
   */
  endDeploy(
    owner: EmitterOwner,
    updatedAt: number,
    newId: () => string,
  ): Promise<readonly string[]>;
  /** Sets the next tick of its timer; undefined: it never ticks again. */
  setNextTick(owner: EmitterOwner, interfaceId: string, nextAt: number | undefined): Promise<void>;
  /**
   * With its events, logs, invocations, deliveries, db, dedupe state and subscriptions. Resolves with
   * the ids of the subscriptions that went with it; none when it is gone already.
   */
  delete(id: string): Promise<readonly string[]>;
}
