/** The feed that RPC clients follow: batches of changes, one per turn of the loop, in commit order. */
import type { ApiServices } from './api-services.ts';
import type { Change } from '../../../protocol/rpc.ts';
import type { ShownRun } from '../../events/owner/owned-emitters.ts';
import type { Committed } from '../../events/signals.ts';
import type { DeliveryRecord } from '../../store/history/deliveries.ts';
import { droppedRecord, emittedRecord, type EventRecord } from '../../store/history/events.ts';
import type { LogRecord } from '../../store/history/logs.ts';
import type { Store } from '../../store/store.ts';
import { presentKeptActionRun } from './present-action-runs.ts';
import { accountWebhook } from './app-webhooks.ts';
import { presentDebugged } from './present-debug.ts';
import {
  presentExecution,
  presentWorkflow,
  type PresentWorkflowParts,
} from './present-workflows.ts';
import {
  presentAccount,
  presentDataStore,
  presentDelivery,
  presentEvent,
  presentLog,
  presentSubscription,
  presentWebhook,
} from './present.ts';
import { showInvocationRecord, showSource, type ShowSourceParts } from './show-source.ts';
import type { Services } from '../../events/services.ts';

export interface ChangeFeed {
  /** Returns the function that ends the subscription. Nothing is computed while nobody listens. */
  subscribe(listener: (batch: readonly Change[]) => void): () => void;
  /** Resolves when the listeners have got the changes so far; during a flood, at their next turn. */
  told(): Promise<void>;
}

export interface ChangeFeedParts
  extends
    ShowSourceParts,
    PresentWorkflowParts,
    Pick<Services, 'signals' | 'kinds' | 'now'>,
    Pick<ApiServices, 'accounts' | 'executionKeys' | 'environment'> {
  readonly store: Pick<
    Store,
    | 'components'
    | 'sources'
    | 'workflows'
    | 'executions'
    | 'webhooks'
    | 'subscriptions'
    | 'dataStores'
  >;
}

/** How many changes are sent per turn: one run may emit 100,000 events, and requests are served in between. */
const largestBatch = 1000;

/**
 * A resource that changed several times within a turn is sent once, in its last state: a source that runs a thousand
 * times a second costs its watchers one message a turn.
 */
export function createChangeFeed(parts: ChangeFeedParts): ChangeFeed {
  const listeners = new Set<(batch: readonly Change[]) => void>();
  const pending = new Map<string, () => Change | undefined>();
  let scheduled = false;
  let waiting: (() => void)[] = [];

  const flush = () => {
    scheduled = false;
    if (listeners.size === 0) pending.clear();
    const batch: Change[] = [];
    for (const [key, change] of pending) {
      if (batch.length === largestBatch) {
        schedule();
        break;
      }
      pending.delete(key);
      const made = change();
      if (made !== undefined) batch.push(made);
    }
    if (batch.length > 0) for (const listener of listeners) listener(batch);
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve();
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  /** @param key of what changed; a later change of the same replaces this one, at the end of the line */
  const tell = (key: string, change: () => Change | undefined) => {
    if (listeners.size === 0) return;
    pending.delete(key);
    pending.set(key, change);
    schedule();
  };

  connect(parts, tell, () => listeners.size > 0);
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    told: () => (scheduled ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
  };
}

type Tell = (key: string, change: () => Change | undefined) => void;

/** How changes of one kind of emitter are sent to clients. */
interface ShownKind {
  changed(id: string): void;
  run(run: ShownRun): void;
  /** A run has ended: more of the emitter may be shown differently. */
  ended(id: string): void;
  readonly deleted: 'source.deleted' | 'workflow.deleted';
}

function connect(parts: ChangeFeedParts, tell: Tell, watched: () => boolean): void {
  const { signals, store } = parts;
  const delivery = (record: DeliveryRecord) =>
    tell(`del ${record.n}`, () => ({ type: 'delivery', delivery: presentDelivery(record) }));
  const source = (id: string) =>
    tell(id, () => {
      const record = store.sources.get(id);
      if (record === undefined || record.deploying) return undefined;
      return { type: 'source', source: showSource(parts, record) };
    });
  const workflow = (id: string) =>
    tell(id, () => {
      const record = store.workflows.get(id);
      // A workflow that was tested but never deployed is in no list.
      if (record === undefined || record.deploymentId === '') return undefined;
      return { type: 'workflow', workflow: presentWorkflow(parts, record) };
    });
  const invocation = (one: ShownRun) =>
    tell(`inv ${one.n}`, () => ({
      type: 'invocation',
      invocation: showInvocationRecord(parts, one.record()),
    }));
  const shownKinds: Readonly<Record<string, ShownKind>> = {
    source: { changed: source, run: invocation, ended: source, deleted: 'source.deleted' },
    workflow: {
      changed: workflow,
      run: tellExecutions(parts, tell),
      ended: () => undefined,
      deleted: 'workflow.deleted',
    },
  };
  const shown = (id: string): ShownKind | undefined => shownKinds[parts.kinds.of(id).name];
  const run = (one: ShownRun) => {
    if (watched()) shown(one.record().emitterId)?.run(one);
  };

  signals.on('source', (id) => shown(id)?.changed(id));
  signals.on('workflow', (id) => shown(id)?.changed(id));
  signals.on('emitterDeleted', (id) => {
    const type = shown(id)?.deleted;
    tell(id, () => type && { type, id });
  });
  signals.on('invocation', run);
  signals.on('said', ({ n, emitterId, lines, from }) => {
    // A run that starts again has sent other lines from here on.
    tell(`inv ${n} said ${from} ${lines[0]?.at}`, () => ({
      type: 'console',
      source_id: emitterId,
      invocation_id: `inv_${n}`,
      from,
      lines: lines.map(({ at, level, text }) => ({ ts: at, level, text })),
    }));
  });
  signals.on('committed', (committed) => {
    if (!watched()) return;
    tellCommitted(tell, committed);
    run(committed.run);
    const { emitterId } = committed.commit;
    shown(emitterId)?.ended(emitterId);
    for (const made of committed.made.deliveries) delivery(made.delivery);
    if (committed.made.isToBeTold === true) tellFailed(parts, tell, committed);
  });
  signals.on('due', ({ made }) => {
    for (const record of made.events) event(tell, record);
    for (const one of made.deliveries) delivery(one.delivery);
  });
  signals.on('log', (line) => log(tell, line));
  signals.on('eventsDeleted', (id) =>
    tell(`events ${id}`, () => ({ type: 'events.deleted', source_id: id })),
  );
  signals.on('actionRun', (record) =>
    tell(`arun ${record.n}`, () => ({
      type: 'action_run',
      action_run: presentKeptActionRun(record),
    })),
  );
  signals.on('webhook', (id) =>
    tell(id, () => {
      const record = store.webhooks.get(id);
      return record && { type: 'webhook', webhook: presentWebhook(record) };
    }),
  );
  signals.on('webhookDeleted', (id) => tell(id, () => ({ type: 'webhook.deleted', id })));
  signals.on('subscription', (id) =>
    tell(id, () => {
      const record = store.subscriptions.get(id);
      return record && { type: 'subscription', subscription: presentSubscription(record) };
    }),
  );
  signals.on('subscriptionDeleted', (id) => tell(id, () => ({ type: 'subscription.deleted', id })));
  signals.on('account', (id) =>
    tell(id, () => {
      const account = parts.accounts.find(id);
      if (account === undefined) return undefined;
      const webhook = accountWebhook(parts, account);
      return { type: 'account', account: presentAccount(account, { webhook }, parts.now()) };
    }),
  );
  signals.on('accountDeleted', (id) => tell(id, () => ({ type: 'account.deleted', id })));
  signals.on('dataStore', (id) =>
    tell(id, () => {
      const record = store.dataStores.find(id);
      return record && { type: 'data_store', data_store: presentDataStore(record) };
    }),
  );
  signals.on('dataStoreDeleted', (id) => tell(id, () => ({ type: 'data_store.deleted', id })));
  signals.on('agents', () => tell('agents', () => ({ type: 'agents' })));
  signals.on('published', (key) => tell(`published ${key}`, () => ({ type: 'published', key })));
  signals.on('delivery', delivery);
  signals.on('debug', (debugged) =>
    tell(`debug ${debugged.url}`, () => ({ type: 'debug', process: presentDebugged(debugged) })),
  );
}

/**
 * Facts that rows do not have are read for all executions of a turn at once, and the executions are sent afterwards:
 * each step is a change of its execution.
 */
function tellExecutions(
  parts: Pick<ChangeFeedParts, 'store' | 'executionKeys' | 'environment'>,
  tell: Tell,
): (run: ShownRun) => void {
  const changed = new Map<number, ShownRun>();
  const read = async (): Promise<void> => {
    const runs = [...changed.values()];
    changed.clear();
    const states = await parts.store.executions.states(runs.map(({ n }) => n));
    for (const run of runs) {
      tell(`exec ${run.n}`, () => ({
        type: 'execution',
        execution: presentExecution(parts, run.record(), states.get(run.n)),
      }));
    }
  };
  return (run) => {
    // A store that fails says so where it is written.
    if (changed.size === 0) setImmediate(() => void read().catch(() => undefined));
    changed.set(run.n, run);
  };
}

function tellFailed(
  parts: Pick<ChangeFeedParts, 'store' | 'executionKeys' | 'environment'>,
  tell: Tell,
  { run, commit: { emitterId, error } }: Committed,
): void {
  const name = parts.store.workflows.get(emitterId)?.name ?? emitterId;
  tell(`notification ${run.n}`, () => ({
    type: 'notification',
    execution: presentExecution(parts, run.record(), undefined),
    message: parts.environment.mask.text(`${name}: ${error?.message ?? 'an execution failed'}`),
  }));
}

/** Ids of events and log lines are those of their emitter. */
function tellCommitted(tell: Tell, { commit, made }: Committed): void {
  const { emitterId, n } = commit;
  for (const one of commit.events) event(tell, emittedRecord(commit, one));
  for (const one of commit.drops) event(tell, droppedRecord(commit, one));
  commit.logs.forEach((line, index) => {
    const id = made.logIds[index];
    if (id !== undefined) log(tell, { ...line, id, emitterId, invocation: n });
  });
}

function event(tell: Tell, record: EventRecord): void {
  tell(`${record.emitterId} ${record.id}`, () => ({
    type: 'event',
    event: presentEvent(record, false),
  }));
}

function log(tell: Tell, line: LogRecord): void {
  tell(`${line.emitterId} log ${line.id}`, () => ({ type: 'log', line: presentLog(line) }));
}
