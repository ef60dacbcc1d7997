/**
 * What the rest of the runtime knows of the store: the domain, never SQL. Three kinds of reading:
 *
 * - **Configuration** is small and lies in the memory of every runtime: its reads answer at once.
 * - **Ownership** hands an emitter's owner once, when it takes the emitter, all that it has to know.
 * - **History** is everything that happened: its reads are promises.
 *
 * Writes are applied in call order and resolve when they are on disk: what resolved survives kill -9.
 * What cannot be taken back (an answer, an event, a delivery) is told to nobody outside before the promise
 * of its write has resolved. A read sees every write that was asked for before it.
 *
 * What has a rule (a slug that is free, a subscription that exists once) is one command, so that two
 * runtimes on one store cannot both find the rule kept.
 */
import type { WeirError } from '../../protocol/errors.ts';
import type { DbWrite } from '../../protocol/host.ts';
import type {
  CommittedDue,
  CommittedInvocation,
  DueCommit,
  InvocationCommit,
  StepCommit,
} from './commit.ts';
import type { AgentOfferTable } from './configuration/agent-offers.ts';
import type { AccountTable } from './configuration/accounts.ts';
import type { ComponentTable } from './configuration/components.ts';
import type { SettingsTable } from './configuration/settings.ts';
import type { SourceTable } from './configuration/sources.ts';
import type { AutoSubscriptionTable, SubscriptionTable } from './configuration/subscriptions.ts';
import type { WebhookTable } from './configuration/webhooks.ts';
import type { WorkflowTable } from './configuration/workflows.ts';
import type { EmitterOwner } from './emitter-owner.ts';
import type { ActionRunTable } from './history/action-runs.ts';
import type { DataStoreTable } from './history/data-stores.ts';
import type { DeliveryTable } from './history/deliveries.ts';
import type { EventTable } from './history/events.ts';
import type { ExecutionTable } from './history/execution-table.ts';
import type { InvocationTable, NewInvocation } from './history/invocations.ts';
import type { LogTable } from './history/logs.ts';
import type { ScheduledEmitTable } from './history/scheduled-emits.ts';
import type { SendTable } from './history/sends.ts';
import type { StreamTable } from './history/streams.ts';
import type { Ownership } from './ownership.ts';
import type { SharedStore } from './shared.ts';

/** A part that uses these tables of the store. */
export interface UsesStore<Tables extends keyof Store> {
  readonly store: Pick<Store, Tables>;
}

export interface Configuration {
  readonly settings: SettingsTable;
  readonly components: ComponentTable;
  readonly sources: SourceTable;
  readonly workflows: WorkflowTable;
  readonly webhooks: WebhookTable;
  readonly subscriptions: SubscriptionTable;
  readonly autoSubscriptions: AutoSubscriptionTable;
  readonly accounts: AccountTable;
  readonly agentOffers: AgentOfferTable;
}

export interface History {
  readonly invocations: InvocationTable;
  readonly executions: ExecutionTable;
  readonly sends: SendTable;
  readonly streams: StreamTable;
  readonly events: EventTable;
  readonly scheduledEmits: ScheduledEmitTable;
  readonly logs: LogTable;
  readonly deliveries: DeliveryTable;
  readonly dataStores: DataStoreTable;
  readonly actionRuns: ActionRunTable;
}

export interface Store extends Configuration, History {
  readonly ownership: Ownership;
  /** Undefined of a store that one runtime has for itself. */
  readonly shared?: SharedStore | undefined;

  /**
   * Puts a trigger into the inbox. The number is known at once, so that the run may start while the
   * record travels to the disk; `durable` resolves when it is there.
   * @throws WeirError('not_found') for an emitter, or a timer of its, that is not there,
   * WeirError('conflict') for a fence that is not its owner's any more, WeirError('store_failed').
   */
  accept(invocation: NewInvocation): { readonly n: number; readonly durable: Promise<void> };

  /**
   * One invocation's whole effect, all or nothing. Hot path: no SQL is compiled, no row is read.
   * Webhooks and listeners that were deleted meanwhile are passed over. Rejects with
   * WeirError('not_found') for an emitter that was deleted and WeirError('conflict') for a fence that is
   * not its owner's any more, or an invocation that has ended already, and leaves nothing then.
   */
  commit(commit: InvocationCommit): Promise<CommittedInvocation>;

  /** The same for a step of a workflow's execution, and for the execution's end. */
  commitStep(commit: StepCommit): Promise<CommittedInvocation>;

  /**
   * Turns due emits of runs into events, all or nothing, and ends their wait. Skips emits that were cancelled, or have
   * become events already, and deleted webhooks and listeners. Rejects with WeirError('not_found') and
   * WeirError('conflict') as `commit` does.
   */
  commitDue(commit: DueCommit): Promise<CommittedDue>;

  /**
   * Writes keys of an emitter's db outside of any run (P9.12). Rejects with WeirError('not_found') for an
   * emitter that was deleted and WeirError('conflict') for a fence that is not its owner's any more.
   */
  writeDb(owner: EmitterOwner, writes: readonly DbWrite[]): Promise<void>;

  /** False once what it writes to is not at its path any more: it was deleted, moved away or replaced. */
  inPlace(): boolean;
  /** Writes in progress fail for this reason, and so does each write until the store is opened again. */
  fail(reason: WeirError): void;
  /** Why nothing can be written any more; undefined while it can. */
  readonly failure: WeirError | undefined;
  /** Why writes wait for longer than a moment, as a server does not answer; they are done when it does. */
  readonly unreachable: WeirError | undefined;

  /** Resolves when everything written so far is on disk. */
  flush(): Promise<void>;
  /** Flushes and leaves a file that other programs can read. The store cannot be used afterwards. */
  close(): Promise<void>;
  /** An ordinary SQLite file with all that is committed. Refuses to overwrite. Returns its size. */
  copyTo(file: string): Promise<number>;
}
