import type { WorkflowDefinition } from '../../../../protocol/workflow.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
  WorkflowTable,
} from '../../configuration/workflows.ts';
import type { Engine } from '../engine.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { Row } from '../wasm/row.ts';
import { EmitterRecords } from './emitter-records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

/** So many deployments of a workflow are kept, and so many of its tests (P25.83). */
const keptDeployments = 10;

export interface Workflows extends WorkflowTable {
  /** @throws WeirError('not_found') when the workflow has no such interface */
  requireInterface(id: string, interfaceId: string): void;
  /** Within a write: a timer's next tick is in the store; this is what memory says of it. */
  tickMoved(id: string, interfaceId: string, nextAt: number | undefined): void;
}

export function createWorkflows(
  engine: Engine,
  search: EventSearch,
  subscriptions: Subscriptions,
  autoSubscriptions: Pick<AutoSubscriptions, 'all'>,
): Workflows {
  const { db, groups } = engine;
  const rows = db.prepare('SELECT * FROM workflows ORDER BY row').all(readWorkflow);
  /** Those that were only tested are among them. */
  const records = new EmitterRecords<WorkflowRecord>(engine, search, 'workflow', rows);
  const { memory } = records;
  const deployments = new ResourceMemory(
    db.prepare('SELECT * FROM workflow_deployments ORDER BY row').all(readDeployment),
  );
  const write = (record: WorkflowRecord): WorkflowRecord => {
    db.prepare(
      `UPDATE workflows SET name = ?, slug = ?, path = ?, active = ?, deployment = ?,
         created_at = ?, updated_at = ? WHERE id = ?`,
    ).run(...columns(record), record.id);
    memory.set(record);
    return record;
  };
  const insert = (record: WorkflowRecord): void => {
    const into = db.prepare(
      `INSERT INTO workflows (name, slug, path, active, deployment, created_at, updated_at, id, row)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    records.add(record, (row) => into.run(...columns(record), record.id, row));
  };
  const insertDeployment = (record: WorkflowDeploymentRecord): void => {
    db.prepare(
      `INSERT INTO workflow_deployments (id, workflow, definition, components, test, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(
      record.id,
      record.workflowId,
      JSON.stringify(record.definition),
      JSON.stringify(record.components),
      record.isTest,
      record.createdAt,
    );
    const component = db.prepare(
      'INSERT OR IGNORE INTO workflow_components (deployment, component_id) VALUES (?, ?)',
    );
    for (const id of Object.values(record.components)) component.run(record.id, id);
    deployments.set(record);
  };
  const removeDeployment = (id: string): void => {
    db.prepare('DELETE FROM workflow_deployments WHERE id = ?').run(id);
    db.prepare('DELETE FROM workflow_components WHERE deployment = ?').run(id);
    deployments.delete(id);
  };
  const ownSubscriptions = (id: string): string[] =>
    db
      .prepare('SELECT subscription FROM workflow_subscriptions WHERE workflow = ?')
      .all((row) => row.text('subscription'), id);

  const found = (
    idOrSlug: string,
    matches: (record: WorkflowRecord) => boolean,
  ): WorkflowRecord | undefined => {
    const record = records.find(idOrSlug);
    return record !== undefined && matches(record) ? record : undefined;
  };

  return {
    get: (id) => memory.get(id),
    find: (idOrSlug) => found(idOrSlug, isDeployed),
    findTested: (idOrSlug) => found(idOrSlug, (record) => !isDeployed(record)),
    ofFolder: (path) => memory.find((one) => one.path === path),
    all: () => memory.all().filter(isDeployed),
    list: (request) => memory.list(request, isDeployed),
    deployment: (id) => deployments.get(id),
    deploymentsOf: (workflowId) => deployments.all().filter((one) => one.workflowId === workflowId),
    deploy: (wished, deployment, listensTo, newId) =>
      groups.writeAlone(() => {
        const before = memory.get(wished.id);
        const record = {
          ...wished,
          slug: records.freeSlug(wished.slug, wished.id),
          createdAt: before?.createdAt ?? wished.createdAt,
        };
        if (before === undefined) insert(record);
        else {
          write(record);
          records.replaceInterfaces(record);
        }
        insertDeployment(deployment);
        const old = new Set(ownSubscriptions(record.id));
        const subscribed: string[] = [];
        const keep = db.prepare(
          'INSERT OR IGNORE INTO workflow_subscriptions (subscription, workflow) VALUES (?, ?)',
        );
        for (const { emitterId, channel } of listensTo) {
          const made = subscriptions.join({
            id: newId(),
            emitterId,
            listenerId: record.id,
            channel,
          });
          old.delete(made.record.id);
          if (!made.created) continue;
          keep.run(made.record.id, record.id);
          subscribed.push(made.record.id);
        }
        // As those of a source: once, when it is made (P18.8).
        if (before === undefined || !isDeployed(before)) {
          for (const { listenerId, channel } of autoSubscriptions.all()) {
            const made = { id: newId(), emitterId: record.id, listenerId, channel };
            const { record: joined, created } = subscriptions.join(made);
            if (created) subscribed.push(joined.id);
          }
        }
        for (const id of old) {
          subscriptions.leave(id);
          db.prepare('DELETE FROM workflow_subscriptions WHERE subscription = ?').run(id);
        }
        return { record, subscribed, unsubscribed: [...old] };
      }),
    addTest: (wished, deployment) =>
      groups.writeAlone(() => {
        const isNew = !memory.has(wished.id);
        if (isNew) insert({ ...wished, slug: records.freeSlug(wished.slug, wished.id) });
        insertDeployment(deployment);
        return isNew;
      }),
    update: (id, change, at) =>
      groups.writeAlone(() => write({ ...records.require(id), ...change, updatedAt: at })),
    requireInterface: (id, interfaceId) => records.requireInterface(id, interfaceId),
    tickMoved: (id, interfaceId, nextAt) => records.tickMoved(id, interfaceId, nextAt),
    delete: (id) =>
      groups.writeAlone(() => {
        if (!records.delete(id)) return [];
        for (const one of deployments.all()) if (one.workflowId === id) removeDeployment(one.id);
        db.prepare('DELETE FROM workflow_subscriptions WHERE workflow = ?').run(id);
        return subscriptions.deleteOf(id);
      }),
    removeUnusedDeployments: (inUse) =>
      groups.writeAlone(() => {
        const current = new Set([
          ...inUse,
          ...memory.all().map(({ deploymentId }) => deploymentId),
        ]);
        const newer = new Map<string, number>();
        const old = deployments
          .all()
          .toReversed()
          .filter(({ id, workflowId, isTest }) => {
            const series = `${workflowId} ${isTest}`;
            const place = newer.get(series) ?? 0;
            newer.set(series, place + 1);
            return place >= keptDeployments && !current.has(id);
          });
        if (old.length === 0) return;
        const unfinished = db
          .prepare(
            `SELECT DISTINCT e.deployment AS id FROM executions e
             JOIN invocations i ON i.emitter = e.emitter AND i.n = e.n WHERE i.ended_at IS NULL`,
          )
          .all((row) => row.text('id'));
        for (const { id } of old) if (!unfinished.includes(id)) removeDeployment(id);
      }),
  };
}

/** Not only tested. */
function isDeployed({ deploymentId }: WorkflowRecord): boolean {
  return deploymentId !== '';
}

function columns(record: WorkflowRecord) {
  return [
    record.name,
    record.slug,
    record.path,
    record.active,
    record.deploymentId,
    record.createdAt,
    record.updatedAt,
  ];
}

function readWorkflow(row: Row): Omit<WorkflowRecord, 'interfaces'> {
  return {
    id: row.text('id'),
    name: row.text('name'),
    slug: row.text('slug'),
    path: row.text('path'),
    active: row.flag('active'),
    deploymentId: row.text('deployment'),
    createdAt: row.number('created_at'),
    updatedAt: row.number('updated_at'),
  };
}

function readDeployment(row: Row): WorkflowDeploymentRecord {
  return {
    id: row.text('id'),
    workflowId: row.text('workflow'),
    definition: row.json('definition') as WorkflowDefinition,
    components: row.json('components') as WorkflowDeploymentRecord['components'],
    isTest: row.flag('test'),
    createdAt: row.number('created_at'),
  };
}
