import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
  WorkflowTable,
} from '../configuration/workflows.ts';
import { workflowDeployments, workflows, workflowSubscriptions } from '../schema/configuration.ts';
import type { RecordChanges } from '../shared.ts';
import { EmitterRecords, type Emitters, withInterfaces } from './emitter-records.ts';
import type { TableChange, TableEngine } from './engine.ts';
import { KeyedRecords, Records } from './records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

/** Number of deployments of a workflow that are kept, and number of its tests (P25.83). */
const keptDeployments = 10;

export interface Workflows extends WorkflowTable {
  /** @throws WeirError('not_found') when the workflow has no such interface */
  requireInterface(id: string, interfaceId: string): void;
  /** Within a write: when a timer ticks next. */
  moveTick(change: TableChange, id: string, interfaceId: string, nextAt: number | undefined): void;
  /** Components of all deployments. */
  componentIds(): string[];
  /** See `Records.reread`. @param isOwn whether it is this node's, which moves its ticks */
  reread(isOwn: (id: string) => boolean): Promise<() => RecordChanges>;
  /** Reads again when its timers tick. */
  refreshTicks(id: string): Promise<void>;
}

export async function createWorkflows(
  engine: TableEngine,
  owners: Emitters,
  subscriptions: Subscriptions,
  autoSubscriptions: Pick<AutoSubscriptions, 'all'>,
): Promise<Workflows> {
  /** Workflows that were only tested are among them. */
  const records = await Records.load<WorkflowRecord>(engine, workflows, withInterfaces(engine));
  const emitters = new EmitterRecords(engine, owners, records, 'workflow');
  const { memory } = emitters;
  const deployments = await Records.load(engine, workflowDeployments);
  const insertDeployment = (change: TableChange, record: WorkflowDeploymentRecord): void => {
    deployments.insert(change, record);
    owners.deploymentInserted?.(change, record);
  };
  const removeDeployment = (change: TableChange, id: string): void => {
    deployments.delete(change, id);
    owners.deploymentDeleted?.(change, id);
  };
  const own = await KeyedRecords.load(engine, workflowSubscriptions, 'subscription');
  const ownOf = (id: string): string[] =>
    own.all().flatMap(({ subscription, workflow }) => (workflow === id ? [subscription] : []));
  const found = (
    idOrSlug: string,
    matches: (record: WorkflowRecord) => boolean,
  ): WorkflowRecord | undefined => {
    const record = emitters.find(idOrSlug);
    return record !== undefined && matches(record) ? record : undefined;
  };

  return {
    get: (id) => memory.get(id),
    find: (idOrSlug) => found(idOrSlug, isDeployed),
    findTested: (idOrSlug) => found(idOrSlug, (record) => !isDeployed(record)),
    ofFolder: (path) => memory.find((one) => one.path === path),
    all: () => memory.all().filter(isDeployed),
    list: (request) => memory.list(request, isDeployed),
    deployment: (id) => deployments.memory.get(id),
    deploymentsOf: (workflowId) =>
      deployments.memory.all().filter((one) => one.workflowId === workflowId),
    async reread(isOwn) {
      const apply = await emitters.reread(isOwn);
      // The records that they refer to are read after them.
      const others = [await deployments.reread(), await own.reread()];
      return () => {
        for (const other of others) other();
        return apply();
      };
    },
    refreshTicks: (id) => emitters.refreshTicks(id),
    componentIds: () =>
      deployments.memory.all().flatMap(({ components }) => Object.values(components)),
    deploy: (wished, deployment, listensTo, newId) =>
      engine.write((change) => {
        deployments.requireFree(deployment.id);
        const before = memory.get(wished.id);
        const record = {
          ...wished,
          slug: emitters.freeSlug(wished.slug, wished.id),
          createdAt: before?.createdAt ?? wished.createdAt,
        };
        if (before === undefined) emitters.add(change, record);
        else {
          emitters.replaceInterfaces(change, record);
          emitters.update(change, record);
        }
        insertDeployment(change, deployment);
        const old = new Set(ownOf(record.id));
        const subscribed: string[] = [];
        for (const { emitterId, channel } of listensTo) {
          const wish = { id: newId(), emitterId, listenerId: record.id, channel };
          const made = subscriptions.join(change, wish);
          old.delete(made.record.id);
          if (!made.created) continue;
          own.put(change, { subscription: made.record.id, workflow: record.id });
          subscribed.push(made.record.id);
        }
        // As those of a source: once, when it is made (P18.8).
        if (before === undefined || !isDeployed(before)) {
          for (const { listenerId, channel } of autoSubscriptions.all()) {
            const wish = { id: newId(), emitterId: record.id, listenerId, channel };
            const { record: joined, created } = subscriptions.join(change, wish);
            if (created) subscribed.push(joined.id);
          }
        }
        for (const id of old) {
          subscriptions.leave(change, id);
          own.delete(change, id);
        }
        return { record, subscribed, unsubscribed: [...old] };
      }),
    addTest: (wished, deployment) =>
      engine.write((change) => {
        deployments.requireFree(deployment.id);
        const isNew = !memory.has(wished.id);
        if (isNew) {
          emitters.add(change, { ...wished, slug: emitters.freeSlug(wished.slug, wished.id) });
        }
        insertDeployment(change, deployment);
        return isNew;
      }),
    update: (id, changes, at) =>
      engine.write((change) =>
        emitters.update(change, { ...emitters.require(id), ...changes, updatedAt: at }),
      ),
    requireInterface: (id, interfaceId) => emitters.requireInterface(id, interfaceId),
    moveTick: (...move) => emitters.moveTick(...move),
    delete: (id) =>
      engine.write((change) => {
        if (!emitters.delete(change, id)) return [];
        for (const one of deployments.memory.all()) {
          if (one.workflowId === id) removeDeployment(change, one.id);
        }
        for (const subscription of ownOf(id)) own.delete(change, subscription);
        return subscriptions.deleteOf(change, id);
      }),
    async removeUnusedDeployments(inUse) {
      const unfinished = await engine.select(owners.unfinishedDeployments);
      await engine.write((change) => {
        const current = new Set([
          ...inUse,
          ...unfinished.map((row) => String(row['id'])),
          ...memory.all().map(({ deploymentId }) => deploymentId),
        ]);
        const newer = new Map<string, number>();
        for (const { id, workflowId, isTest } of deployments.memory.all().toReversed()) {
          const series = `${workflowId} ${isTest}`;
          const place = newer.get(series) ?? 0;
          newer.set(series, place + 1);
          if (place >= keptDeployments && !current.has(id)) removeDeployment(change, id);
        }
      });
    },
  };
}

/** Not only tested. */
function isDeployed({ deploymentId }: WorkflowRecord): boolean {
  return deploymentId !== '';
}
