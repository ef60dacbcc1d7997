/** Documents as resources, and which of them a change is news of (pure but for the lists). */
import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../client/connection.ts';
import { allPages } from '../client/pages.ts';
import type { Change } from '../protocol/rpc.ts';
import { runUri, uriOf } from './documents.ts';

const mimeType = 'application/json';
/** Resources of each kind, newest first: the tool `list` finds the rest. */
const mostListed = 100;

/** Deployed resources; the templates name everything else. */
export async function listResources({ call }: Caller): Promise<Resource[]> {
  const sources = await allPages((page) => call('sources.list', page), mostListed);
  const workflows = await allPages((page) => call('workflows.list', page), mostListed);
  return [
    ...sources.flatMap(({ id, name }) => [
      { uri: uriOf('sources', id), name, title: name, mimeType },
      { uri: uriOf('events', id), name: `${name}: events`, title: `Events of ${name}`, mimeType },
    ]),
    ...workflows.map(({ id, name }) => ({
      uri: uriOf('workflows', id),
      name,
      title: name,
      mimeType,
    })),
  ];
}

export const resourceTemplates: ResourceTemplate[] = [
  template('weir://sources/{id}', 'source'),
  template('weir://workflows/{id}', 'workflow'),
  template('weir://components/{id}', 'component'),
  template('weir://events/{id}', 'newest events of a source or workflow'),
  template('weir://events/{id}/{event_id}', 'event'),
  template('weir://runs/{id}/{run_id}', 'run of a source'),
  template('weir://executions/{id}', 'execution of a workflow'),
  template('weir://action-runs/{id}', 'run of an action by itself'),
  template('weir://logs/{id}', 'log of a source or workflow'),
  template('weir://deliveries/{id}', 'delivery to a webhook'),
];

function template(uriTemplate: string, name: string): ResourceTemplate {
  return { uriTemplate, name, mimeType };
}

/** The documents that are others after a batch of changes, each once. */
export function changedUris(batch: readonly Change[]): ReadonlySet<string> {
  return new Set(batch.flatMap(urisOf));
}

function urisOf(change: Change): readonly string[] {
  switch (change.type) {
    case 'source':
      return [uriOf('sources', change.source.id)];
    case 'source.deleted':
      return [uriOf('sources', change.id), uriOf('events', change.id), uriOf('logs', change.id)];
    case 'workflow':
      return [uriOf('workflows', change.workflow.id)];
    case 'workflow.deleted':
      return [uriOf('workflows', change.id)];
    case 'event':
      return [uriOf('events', change.event.metadata.emitter_id)];
    case 'events.deleted':
      return [uriOf('events', change.source_id)];
    case 'log':
      return [uriOf('logs', change.line.source_id)];
    case 'invocation':
      return [runUri(change.invocation.source_id, change.invocation.id)];
    case 'execution':
      return [uriOf('executions', change.execution.id)];
    case 'action_run':
      return [uriOf('action-runs', change.action_run.id)];
    case 'delivery':
      return [uriOf('deliveries', change.delivery.id)];
    case 'account':
    case 'agents':
    case 'published':
    case 'account.deleted':
    case 'console':
    case 'data_store':
    case 'data_store.deleted':
    case 'debug':
    case 'notification':
    case 'subscription':
    case 'subscription.deleted':
    case 'webhook':
    case 'webhook.deleted':
      return [];
  }
}
