/** The configuration at a follower: read again when the leader requests it; changes take effect. */
import type { Deliveries } from '../events/delivery/deliveries.ts';
import type { Environment } from '../accounts/environment/environment.ts';
import { accountIds } from '../components/props/configured.ts';
import type { ConfigurationChanges, RecordChanges, SharedStore } from '../store/shared.ts';
import type { UsesStore } from '../store/store.ts';
import { applyWorkflow } from '../workflows/lifecycle/apply-workflow.ts';
import type { RunningSources } from './running-sources.ts';
import type { RunningWorkflows } from './running-workflows.ts';
import type { Services } from '../events/services.ts';

export interface FollowConfigurationOptions
  extends UsesStore<'workflows'>, Pick<Services, 'signals'> {
  readonly shared: Pick<SharedStore, 'refresh'>;
  readonly running: RunningSources;
  readonly runningWorkflows: RunningWorkflows;
  readonly deliveries: Pick<Deliveries, 'forget'>;
  readonly environment: Pick<Environment, 'reload'>;
  /** See `HandOver`. */
  readonly runsHere: (id: string) => boolean;
}

/**
 * Returns a function that reads the configuration again, and resolves when nothing here depends on the old one. Reads
 * run one after the other, because a later one reads what an earlier one has missed; calls before a read begins share
 * it.
 */
export function followConfiguration(options: FollowConfigurationOptions): () => Promise<void> {
  const { store, shared, signals, running, runningWorkflows, deliveries, environment } = options;
  const { instances, executions } = runningWorkflows;
  const applied = { ...runningWorkflows, timers: running.timers, runsHere: options.runsHere };

  const workflowsChanged = ({ changed, deleted }: RecordChanges): void => {
    for (const id of changed) {
      const record = store.workflows.get(id);
      if (record === undefined) continue;
      applyWorkflow(applied, record);
      instances.endEarlier(id, [record.deploymentId, ...executions.deploymentsInUse()]);
      signals.emit('workflow', id);
    }
    for (const id of deleted) {
      instances.remove(id, []);
      signals.emit('emitterDeleted', id);
    }
    instances.prune();
  };
  const accountsChanged = ({ changed, deleted }: RecordChanges): void => {
    const isOther = new Set([...changed, ...deleted]);
    for (const { record, runner } of running.instances.all()) {
      if (accountIds(record.configuredProps).some((id) => isOther.has(id))) runner.reconfigure();
    }
    for (const id of changed) signals.emit('account', id);
    for (const id of deleted) signals.emit('accountDeleted', id);
  };
  const changed = ({
    sources,
    workflows,
    webhooks,
    subscriptions,
    accounts,
  }: ConfigurationChanges): void => {
    workflowsChanged(workflows);
    if (environment.reload()) instances.reconfigure();
    for (const id of sources.changed) signals.emit('source', id);
    for (const id of sources.deleted) signals.emit('emitterDeleted', id);
    for (const id of webhooks.changed) signals.emit('webhook', id);
    for (const id of webhooks.deleted) {
      deliveries.forget(id);
      signals.emit('webhookDeleted', id);
    }
    for (const id of subscriptions.changed) signals.emit('subscription', id);
    for (const id of subscriptions.deleted) signals.emit('subscriptionDeleted', id);
    accountsChanged(accounts);
  };

  let reading: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    if (next !== undefined) return next;
    const read = reading.then(async () => {
      next = undefined;
      changed(await shared.refresh());
    });
    next = read;
    reading = read.catch(() => undefined);
    return read;
  };
}
