/**
 * What the rest of the runtime knows of the store: the domain, never SQL.
 *
 * Reads are answered at once from the one connection. Writes are applied at once, in call order, to
 * the open group transaction, and resolve when the group is on disk: what resolved survives kill -9.
 * Nothing may be told to anybody outside before the promise of its write has resolved.
 */
import type { WeirError } from '../../protocol/errors.ts';
import type { AccountTable } from './configuration/accounts.ts';
import type { AutoSubscriptionTable } from './configuration/auto-subscriptions.ts';
import type { CommittedInvocation, InvocationCommit } from './commit.ts';
import type { ComponentTable } from './configuration/components.ts';
import type { DataStoreTable } from './history/data-stores.ts';
import type { DeliveryTable } from './history/deliveries.ts';
import type { EventSearch } from './history/event-search.ts';
import type { EventTable } from './history/events.ts';
import type { InvocationTable, NewInvocation } from './history/invocations.ts';
import type { LogTable } from './history/logs.ts';
import type { SettingsTable } from './configuration/settings.ts';
import type { SourceTable } from './configuration/sources.ts';
import type { SubscriptionTable } from './configuration/subscriptions.ts';
import type { WebhookTable } from './configuration/webhooks.ts';

export interface Store {
  /** Resolves when everything written so far is on disk. */
  flush(): Promise<void>;
  /** False once what it writes to is not at its path any more: it was deleted, moved away or replaced. */
  inPlace(): boolean;
  /** What is under way fails for this reason, and so does each write until the store is opened again. */
  fail(reason: WeirError): void;
  /** Why nothing can be written any more; undefined while it can. */
  readonly failure: WeirError | undefined;
  /** Flushes, folds the WAL, leaves an ordinary SQLite file. The store cannot be used afterwards. */
  close(): Promise<void>;
  /** An ordinary SQLite file with all that is committed. Refuses to overwrite. Returns its size. */
  copyTo(file: string): Promise<number>;

  readonly settings: SettingsTable;
  readonly components: ComponentTable;
  readonly sources: SourceTable;
  readonly invocations: InvocationTable;
  readonly events: EventTable;
  readonly logs: LogTable;
  readonly webhooks: WebhookTable;
  readonly subscriptions: SubscriptionTable;
  readonly deliveries: DeliveryTable;
  readonly accounts: AccountTable;
  readonly autoSubscriptions: AutoSubscriptionTable;
  readonly search: EventSearch;
  readonly dataStores: DataStoreTable;

  /**
   * Puts a trigger into the inbox. The number is known at once, so that the run may start while the
   * record travels to the disk; `durable` resolves when it is there.
   * @throws WeirError('not_found') for a source that is not there, WeirError('store_failed').
   */
  accept(invocation: NewInvocation): { readonly n: number; readonly durable: Promise<void> };

  /**
   * One invocation's whole effect, all or nothing. Hot path: no SQL is compiled, no row is read.
   * Webhooks and listeners that were deleted meanwhile are passed over; a source that was deleted
   * rejects with WeirError('not_found') and leaves nothing.
   */
  commit(commit: InvocationCommit): Promise<CommittedInvocation>;
}
