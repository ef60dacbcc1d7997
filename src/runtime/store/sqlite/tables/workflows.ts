import { WeirError } from '../../../../protocol/errors.ts';
import type { WorkflowDefinition } from '../../../../protocol/workflow.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { InterfaceRecord } from '../../configuration/sources.ts';
import { uniqueSlug } from '../../configuration/unique-slug.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
  WorkflowTable,
} from '../../configuration/workflows.ts';
import type { Engine } from '../engine.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { Row } from '../wasm/row.ts';
import { deleteEmitter } from './delete-emitter.ts';
import { interfacesOf, replaceInterfaces } from './interfaces.ts';
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
  const { db, groups, keys, fence } = engine;
  const stored = db.prepare('SELECT * FROM workflows ORDER BY row').all((row) => ({
    ...readWorkflow(row),
    interfaces: [] as readonly InterfaceRecord[],
  }));
  const memory = new ResourceMemory(stored.filter(({ deploymentId }) => deploymentId !== ''));
  /** Those that were tested and never deployed. */
  const tested = new ResourceMemory(stored.filter(({ deploymentId }) => deploymentId === ''));
  const get = (id: string) => memory.get(id) ?? tested.get(id);
  for (const record of memory.all()) {
    memory.set({ ...record, interfaces: interfacesOf(db, keys.require(record.id).row) });
  }
  const deployments = new ResourceMemory(
    db.prepare('SELECT * FROM workflow_deployments ORDER BY row').all(readDeployment),
  );
  const requireWorkflow = (id: string): WorkflowRecord => {
    const record = memory.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no workflow ${id}.`);
    return record;
  };
  const freeSlug = (slug: string, id: string): string => {
    const others = [...memory.all(), ...tested.all()].filter((one) => one.id !== id);
    return uniqueSlug(slug, new Set(others.map((one) => one.slug)));
  };
  const write = (record: WorkflowRecord): WorkflowRecord => {
    db.prepare(
      `UPDATE workflows SET name = ?, slug = ?, path = ?, active = ?, deployment = ?,
         created_at = ?, updated_at = ? WHERE id = ?`,
    ).run(...columns(record), record.id);
    memory.set(record);
    return record;
  };
  const insert = (record: WorkflowRecord): void => {
    const emitter = db.prepare('INSERT INTO emitters (id) VALUES (?) RETURNING row');
    const row = emitter.get((made) => made.number('row'), record.id);
    if (row === undefined) throw new Error(`The row of ${record.id} is missing.`);
    db.prepare(
      `INSERT INTO workflows (name, slug, path, active, deployment, created_at, updated_at, id, row)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(...columns(record), record.id, row);
    keys.add(record.id, row, fence);
    (record.deploymentId === '' ? tested : memory).set(record);
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

  return {
    get,
    find: (idOrSlug) => memory.get(idOrSlug) ?? memory.find((one) => one.slug === idOrSlug),
    findTested: (idOrSlug) => tested.get(idOrSlug) ?? tested.find((one) => one.slug === idOrSlug),
    ofFolder: (path) =>
      memory.find((one) => one.path === path) ?? tested.find((one) => one.path === path),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    deployment: (id) => deployments.get(id),
    deploymentsOf: (workflowId) => deployments.all().filter((one) => one.workflowId === workflowId),
    deploy: (wished, deployment, listensTo, newId) =>
      groups.writeAlone(() => {
        const before = get(wished.id);
        const record = {
          ...wished,
          slug: freeSlug(wished.slug, wished.id),
          createdAt: before?.createdAt ?? wished.createdAt,
        };
        if (before === undefined) insert(record);
        else write(record);
        tested.delete(record.id);
        replaceInterfaces(db, keys.require(record.id).row, record.interfaces);
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
        if (before === undefined || before.deploymentId === '') {
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
        const isNew = get(wished.id) === undefined;
        if (isNew) insert({ ...wished, slug: freeSlug(wished.slug, wished.id) });
        insertDeployment(deployment);
        return isNew;
      }),
    update: (id, change, at) =>
      groups.writeAlone(() => write({ ...requireWorkflow(id), ...change, updatedAt: at })),
    requireInterface(id, interfaceId) {
      if (requireWorkflow(id).interfaces.some((one) => one.id === interfaceId)) return;
      throw new WeirError('not_found', `There is no interface ${interfaceId}.`);
    },
    tickMoved(id, interfaceId, nextAt) {
      const record = requireWorkflow(id);
      memory.set({
        ...record,
        interfaces: record.interfaces.map(({ nextAt: before, ...rest }) => {
          const at = rest.id === interfaceId ? nextAt : before;
          return at === undefined ? rest : { ...rest, nextAt: at };
        }),
      });
    },
    delete: (id) =>
      groups.writeAlone(() => {
        const key = keys.get(id);
        if (key === undefined) return [];
        deleteEmitter(engine, key);
        search.forget(key.row);
        memory.delete(id);
        tested.delete(id);
        keys.remove(id);
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
        const isUsed = db.prepare(
          `SELECT 1 AS used FROM executions e JOIN invocations i ON i.emitter = e.emitter AND i.n = e.n
           WHERE e.deployment = ? AND i.ended_at IS NULL LIMIT 1`,
        );
        const newer = new Map<string, number>();
        for (const { id, workflowId, isTest } of deployments.all().toReversed()) {
          const series = `${workflowId} ${isTest}`;
          const place = newer.get(series) ?? 0;
          newer.set(series, place + 1);
          if (place < keptDeployments || current.has(id)) continue;
          if (isUsed.get(() => true, id) !== true) removeDeployment(id);
        }
      }),
  };
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
