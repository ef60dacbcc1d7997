import { hasFailed } from '../../client/past-executions.ts';
import type {
  Account,
  DataStore,
  Delivery,
  EmittedEvent,
  Execution,
  Invocation,
  Source,
  Subscription,
  Webhook,
  Workflow,
} from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import { newestFirst } from './event-order.ts';

/** An emitter: a source or a workflow. Its id shows which (protocol/ids.ts). */
export interface Emitter {
  readonly id: string;
  readonly name: string;
}

/** The state of one runtime that the trees show: its lists, and the events that were requested. */
export interface MirrorState {
  readonly sources: Map<string, Source>;
  /** By emitter. */
  readonly events: Map<string, EmitterEvents>;
  /** By emitter, newest first; only of those whose runs were asked for. */
  readonly invocations: Map<string, EmitterRuns>;
  /** By source, newest first: runs that failed, however old; at most {@link keptFailures}. */
  readonly failures: Map<string, readonly Invocation[]>;
  readonly workflows: Map<string, Workflow>;
  /** By workflow. */
  readonly executions: Map<string, WorkflowExecutions>;
  readonly webhooks: Map<string, Webhook>;
  readonly subscriptions: Map<string, Subscription>;
  readonly accounts: Map<string, Account>;
  readonly dataStores: Map<string, DataStore>;
  /** By webhook, newest first; see {@link keptDeliveries}. */
  readonly deliveries: Map<string, readonly Delivery[]>;
}

export interface EmitterEvents {
  /** Newest first; dropped ones included. */
  items: EmittedEvent[];
  /** How many the runtime keeps. */
  total: number;
  /** How many rows were asked for: an emitter that never rests must not fill the memory. */
  wanted: number;
}

export interface EmitterRuns {
  /** Newest first. */
  items: readonly Invocation[];
  /** How many the runtime keeps. */
  total: number;
  /** How many rows were asked for. */
  wanted: number;
}

export interface WorkflowExecutions {
  /** Newest first. */
  items: Execution[];
  /** How many the runtime keeps. */
  total: number;
  /** How many rows were asked for. */
  wanted: number;
}

/** Parts that have to be repainted. */
export interface Touched {
  /** Emitters whose row changed. */
  readonly emitters: Set<string>;
  /** An emitter was added or removed. */
  emitterList: boolean;
  /** Emitters whose events changed. */
  readonly events: Set<string>;
  /** Emitters whose events have to be read again. */
  readonly stale: Set<string>;
  /** A workflow was added or removed. */
  workflowList: boolean;
  /** Workflows whose row or executions changed. */
  readonly workflows: Set<string>;
  /** Executions that changed. */
  readonly executions: Set<string>;
  /** A webhook or a subscription was added or removed. */
  listenerList: boolean;
  /** An account was added, changed or removed. */
  accountList: boolean;
  /** A data store was added or removed. */
  dataStoreList: boolean;
  /** Data stores whose values changed. */
  readonly dataStores: Set<string>;
  /** Webhooks whose deliveries changed. */
  readonly webhooks: Set<string>;
  /** The offers or rules for agents have changed, or a published component that may be offered to them. */
  agents: boolean;
  /** A run of an action by itself began or ended. */
  actionRuns: boolean;
}

/** Deliveries kept per webhook; the runtime has them all. */
export const shownDeliveries = 20;
/** Exhausted deliveries kept per webhook beyond those. */
export const shownExhausted = 100;
/** Runs of an emitter that are read at first, and that "Show more" adds. */
export const firstRuns = 10;
/** Failed runs kept per source. */
export const keptFailures = 100;
/** Executions of a workflow that are read at first, and that "Show more" adds. */
export const firstExecutions = 20;
/** Events of an emitter that are read at first. */
export const firstEvents = 100;
/** Events beyond the wanted ones before the oldest are forgotten: rows must not vanish while somebody reads. */
const slack = 1000;

export function emptyState(): MirrorState {
  return {
    sources: new Map(),
    events: new Map(),
    invocations: new Map(),
    failures: new Map(),
    workflows: new Map(),
    executions: new Map(),
    webhooks: new Map(),
    subscriptions: new Map(),
    accounts: new Map(),
    dataStores: new Map(),
    deliveries: new Map(),
  };
}

export function nothingTouched(): Touched {
  return {
    emitters: new Set(),
    emitterList: false,
    events: new Set(),
    stale: new Set(),
    workflowList: false,
    workflows: new Set(),
    executions: new Set(),
    listenerList: false,
    accountList: false,
    dataStoreList: false,
    dataStores: new Set(),
    webhooks: new Set(),
    agents: false,
    actionRuns: false,
  };
}

/** Applies one change. The same change twice has no further effect, because a reload and the feed may both have it. */
export function applyChange(state: MirrorState, change: Change, touched: Touched): void {
  switch (change.type) {
    case 'source':
      if (!state.sources.has(change.source.id)) touched.emitterList = true;
      state.sources.set(change.source.id, change.source);
      touched.emitters.add(change.source.id);
      break;
    case 'source.deleted':
      state.sources.delete(change.id);
      state.events.delete(change.id);
      state.invocations.delete(change.id);
      state.failures.delete(change.id);
      touched.emitterList = true;
      touched.events.add(change.id);
      break;
    case 'invocation': {
      addInvocation(state, change.invocation);
      addFailure(state, change.invocation);
      const source = state.sources.get(change.invocation.source_id);
      const last = source?.last_invocation?.created_at ?? 0;
      if (source === undefined) break;
      touched.emitters.add(source.id);
      if (change.invocation.created_at < last) break;
      state.sources.set(source.id, { ...source, last_invocation: change.invocation });
      break;
    }
    case 'workflow':
      if (!state.workflows.has(change.workflow.id)) touched.workflowList = true;
      state.workflows.set(change.workflow.id, change.workflow);
      touched.workflows.add(change.workflow.id);
      break;
    case 'workflow.deleted':
      state.workflows.delete(change.id);
      state.executions.delete(change.id);
      state.events.delete(change.id);
      touched.workflowList = true;
      touched.workflows.add(change.id);
      touched.events.add(change.id);
      break;
    case 'execution':
      addExecution(state, change.execution);
      touched.workflows.add(change.execution.workflow_id);
      touched.executions.add(change.execution.id);
      break;
    case 'event':
      if (addEvent(state, change.event)) {
        touched.events.add(change.event.metadata.emitter_id);
        touched.emitters.add(change.event.metadata.emitter_id);
      }
      break;
    case 'events.deleted':
      // The change does not say which ones.
      touched.stale.add(change.source_id);
      break;
    case 'webhook':
      state.webhooks.set(change.webhook.id, change.webhook);
      touched.listenerList = true;
      break;
    case 'webhook.deleted':
      state.webhooks.delete(change.id);
      state.deliveries.delete(change.id);
      touched.listenerList = true;
      break;
    case 'subscription':
      state.subscriptions.set(change.subscription.id, change.subscription);
      touched.listenerList = true;
      break;
    case 'subscription.deleted':
      state.subscriptions.delete(change.id);
      touched.listenerList = true;
      break;
    case 'account':
      state.accounts.set(change.account.id, change.account);
      touched.accountList = true;
      break;
    case 'account.deleted':
      state.accounts.delete(change.id);
      touched.accountList = true;
      break;
    case 'data_store':
      if (!state.dataStores.has(change.data_store.id)) touched.dataStoreList = true;
      state.dataStores.set(change.data_store.id, change.data_store);
      touched.dataStores.add(change.data_store.id);
      break;
    case 'data_store.deleted':
      state.dataStores.delete(change.id);
      touched.dataStoreList = true;
      touched.dataStores.add(change.id);
      break;
    case 'delivery':
      addDelivery(state, change.delivery);
      touched.webhooks.add(change.delivery.webhook_id);
      break;
    case 'action_run':
      touched.actionRuns = true;
      break;
    case 'agents':
    case 'published':
      touched.agents = true;
      break;
    case 'log':
    case 'console':
    case 'notification':
    case 'debug':
      break;
  }
}

/** @returns false for an event that is known already */
function addEvent(state: MirrorState, event: EmittedEvent): boolean {
  const emitterId = event.metadata.emitter_id;
  const known = state.events.get(emitterId) ?? { items: [], total: 0, wanted: firstEvents };
  state.events.set(emitterId, known);
  const [newest] = known.items;
  // Nearly all events come in order.
  if (newest === undefined || newestFirst(event, newest) < 0) known.items.unshift(event);
  else if (known.items.some((item) => item.id === event.id)) return false;
  else known.items = [event, ...known.items].sort(newestFirst);
  known.total += 1;
  if (known.items.length > known.wanted + slack) known.items.length = known.wanted;
  return true;
}

function addInvocation(state: MirrorState, invocation: Invocation): void {
  const { source_id: emitterId } = invocation;
  const known = state.invocations.get(emitterId);
  if (known === undefined) return;
  const others = known.items.filter((other) => other.id !== invocation.id);
  const isNew = others.length === known.items.length;
  const oldest = known.items.at(-1);
  // A run that ends although it is not among those read: an old run was stopped.
  const isOld = isNew && oldest !== undefined && numberOf(invocation) < numberOf(oldest);
  if (isOld && known.items.length >= known.wanted) return;
  const all = [invocation, ...others].sort((a, b) => numberOf(b) - numberOf(a));
  state.invocations.set(emitterId, {
    items: all.slice(0, known.wanted),
    total: known.total + (isNew ? 1 : 0),
    wanted: known.wanted,
  });
}

function addFailure(state: MirrorState, invocation: Invocation): void {
  const { source_id: id } = invocation;
  const known = state.failures.get(id) ?? [];
  const others = known.filter((other) => other.id !== invocation.id);
  if (hasFailed(invocation)) state.failures.set(id, keptFailuresOf([invocation, ...others]));
  // A run that crashed is run again.
  else if (others.length < known.length) state.failures.set(id, others);
}

/** The newest of them, newest first. */
export function keptFailuresOf(all: readonly Invocation[]): Invocation[] {
  return all.toSorted((a, b) => numberOf(b) - numberOf(a)).slice(0, keptFailures);
}

function addExecution(state: MirrorState, execution: Execution): void {
  const { workflow_id: id } = execution;
  const known = state.executions.get(id) ?? { items: [], total: 0, wanted: firstExecutions };
  state.executions.set(id, known);
  const at = known.items.findIndex((item) => item.id === execution.id);
  const [newest] = known.items;
  if (at !== -1) {
    known.items[at] = execution;
    return;
  }
  // An execution that changes although it is not among those read: an old one was resumed.
  if (newest !== undefined && numberOf(execution) < numberOf(newest)) return;
  known.items.unshift(execution);
  known.total += 1;
  // A workflow that never rests would have its rows repainted all the time: no more than are wanted.
  if (known.items.length > known.wanted) known.items.length = known.wanted;
}

/** Number in `inv_<n>` or `exec_<n>`, which count up. */
export function numberOf({ id }: { readonly id: string }): number {
  return Number(id.slice(id.indexOf('_') + 1));
}

function addDelivery(state: MirrorState, delivery: Delivery): void {
  const known = state.deliveries.get(delivery.webhook_id) ?? [];
  const others = known.filter((other) => other.id !== delivery.id);
  state.deliveries.set(delivery.webhook_id, keptDeliveries([delivery, ...others]));
}

/** The newest deliveries, newest first, and exhausted ones however old: somebody has to act on those. */
export function keptDeliveries(all: readonly Delivery[]): Delivery[] {
  const sorted = all.toSorted((a, b) => b.created_at - a.created_at);
  const older = sorted.slice(shownDeliveries).filter(({ status }) => status === 'exhausted');
  return [...sorted.slice(0, shownDeliveries), ...older.slice(0, shownExhausted)];
}
