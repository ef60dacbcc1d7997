import type { WorkflowDefinition } from '../../../../protocol/workflow.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
  WorkflowTable,
} from '../../configuration/workflows.ts';
import type { Change } from '../change.ts';
import { type Engine, write } from '../engine.ts';
import { flag, json, number, text } from '../fields.ts';
import type { RecordChanges } from '../../shared.ts';
import { EmitterRecords, withInterfaces } from './emitter-records.ts';
import { Records, type RecordTable } from './records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

/** So many deployments of a workflow are kept, and so many of its tests (P25.83). */
const keptDeployments = 10;

const table: RecordTable<WorkflowRecord> = {
  name: 'workflows',
  columnsOf: (record) => ({
    name: record.name,
    slug: record.slug,
    path: record.path,
    active: record.active,
    deployment: record.deploymentId,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  }),
  read: (row) => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    slug: text(row, 'slug'),
    path: text(row, 'path'),
    active: flag(row, 'active'),
    deploymentId: text(row, 'deployment'),
    interfaces: [],
    createdAt: number(row, 'created_at'),
    updatedAt: number(row, 'updated_at'),
  }),
};

const deploymentTable: RecordTable<WorkflowDeploymentRecord> = {
  name: 'workflow_deployments',
  columnsOf: (record) => ({
    workflow: record.workflowId,
    definition: JSON.stringify(record.definition),
    components: JSON.stringify(record.components),
    test: record.isTest,
    created_at: record.createdAt,
  }),
  read: (row) => ({
    id: text(row, 'id'),
    workflowId: text(row, 'workflow'),
    definition: json(row, 'definition') as WorkflowDefinition,
    components: json(row, 'components') as WorkflowDeploymentRecord['components'],
    isTest: flag(row, 'test'),
    createdAt: number(row, 'created_at'),
  }),
};

export interface Workflows extends WorkflowTable {
  /** @throws WeirError('not_found') when the workflow has no such interface */
  requireInterface(id: string, interfaceId: string): void;
  /** Within a write: when a timer ticks next. */
  moveTick(change: Change, id: string, interfaceId: string, nextAt: number | undefined): void;
  /** Of all deployments. */
  componentIds(): string[];
  /** See `Records.reread`. @param isOwn whether it is this node's, which moves its ticks */
  reread(isOwn: (id: string) => boolean): Promise<() => RecordChanges>;
  /** Reads anew when its timers tick. */
  refreshTicks(id: string): Promise<void>;
}

export async function createWorkflows(
  engine: Engine,
  subscriptions: Subscriptions,
  autoSubscriptions: Pick<AutoSubscriptions, 'all'>,
): Promise<Workflows> {
  /** Those that were only tested are among them. */
  const records = await Records.load(engine, table, withInterfaces(engine));
  const emitters = new EmitterRecords(engine, records, 'workflow');
  const { memory } = emitters;
  const deployments = await Records.load(engine, deploymentTable);
  /** Those that a workflow's own triggers ask for, so that a deploy takes back no others: by subscription. */
  const own = new Map<string, string>();
  const rereadOwn = async () => {
    const rows = await engine.read('SELECT * FROM workflow_subscriptions');
    return (): void => {
      own.clear();
      for (const row of rows) own.set(text(row, 'subscription'), text(row, 'workflow'));
    };
  };
  (await rereadOwn())();
  const disown = (change: Change, subscription: string): void => {
    change.run('DELETE FROM workflow_subscriptions WHERE subscription = $1', [subscription]);
    own.delete(subscription);
  };
  const ownOf = (id: string): string[] =>
    [...own].flatMap(([subscription, workflow]) => (workflow === id ? [subscription] : []));
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
      // What they refer to is read after them.
      const others = [await deployments.reread(), await rereadOwn()];
      return () => {
        for (const other of others) other();
        return apply();
      };
    },
    refreshTicks: (id) => emitters.refreshTicks(id),
    componentIds: () =>
      deployments.memory.all().flatMap(({ components }) => Object.values(components)),
    deploy: (wished, deployment, listensTo, newId) =>
      write(engine, (change) => {
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
        deployments.insert(change, deployment);
        const old = new Set(ownOf(record.id));
        const subscribed: string[] = [];
        for (const { emitterId, channel } of listensTo) {
          const wish = { id: newId(), emitterId, listenerId: record.id, channel };
          const made = subscriptions.join(change, wish);
          old.delete(made.record.id);
          if (!made.created) continue;
          change.run(
            `INSERT INTO workflow_subscriptions (subscription, workflow) VALUES ($1, $2)
             ON CONFLICT DO NOTHING`,
            [made.record.id, record.id],
          );
          own.set(made.record.id, record.id);
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
          disown(change, id);
        }
        return { record, subscribed, unsubscribed: [...old] };
      }),
    addTest: (wished, deployment) =>
      write(engine, (change) => {
        const isNew = !memory.has(wished.id);
        if (isNew) {
          emitters.add(change, { ...wished, slug: emitters.freeSlug(wished.slug, wished.id) });
        }
        deployments.insert(change, deployment);
        return isNew;
      }),
    update: (id, changes, at) =>
      write(engine, (change) =>
        emitters.update(change, { ...emitters.require(id), ...changes, updatedAt: at }),
      ),
    requireInterface: (id, interfaceId) => emitters.requireInterface(id, interfaceId),
    moveTick: (...move) => emitters.moveTick(...move),
    delete: (id) =>
      write(engine, (change) => {
        if (!emitters.delete(change, id)) return [];
        for (const one of deployments.memory.all()) {
          if (one.workflowId === id) deployments.delete(change, one.id);
        }
        for (const subscription of ownOf(id)) disown(change, subscription);
        return subscriptions.deleteOf(change, id);
      }),
    async removeUnusedDeployments(inUse) {
      const rowsInUse = await engine.read(
        `SELECT DISTINCT e.deployment AS id FROM executions e
         WHERE NOT EXISTS (SELECT 1 FROM ends i WHERE i.emitter = e.emitter AND i.n = e.n)`,
      );
      await write(engine, (change) => {
        const current = new Set([
          ...inUse,
          ...rowsInUse.map((row) => text(row, 'id')),
          ...memory.all().map(({ deploymentId }) => deploymentId),
        ]);
        const newer = new Map<string, number>();
        for (const { id, workflowId, isTest } of deployments.memory.all().toReversed()) {
          const series = `${workflowId} ${isTest}`;
          const place = newer.get(series) ?? 0;
          newer.set(series, place + 1);
          if (place >= keptDeployments && !current.has(id)) deployments.delete(change, id);
        }
      });
    },
  };
}

/** Not only tested. */
function isDeployed({ deploymentId }: WorkflowRecord): boolean {
  return deploymentId !== '';
}
