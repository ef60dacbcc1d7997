/** Resources with a URI of their own: answers name them, and `read` reads them. */
import type { Caller } from '../client/connection.ts';
import type { ActionRun } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import { kindOf } from '../protocol/ids.ts';
import type { Answer } from './tool.ts';

/** The first part of a URI. */
export type DocumentKind =
  | 'sources'
  | 'workflows'
  | 'components'
  | 'events'
  | 'runs'
  | 'executions'
  | 'action-runs'
  | 'deliveries'
  | 'logs';

export function uriOf(kind: DocumentKind, ...parts: readonly string[]): string {
  return `weir://${kind}/${parts.map(encodeURIComponent).join('/')}`;
}

/** URI of a run by its id: a source's run is found by its source as well. */
export function runUri(emitter: string, run: string): string {
  if (kindOf(run) === 'actionRun') return uriOf('action-runs', run);
  return kindOf(run) === 'execution' ? uriOf('executions', run) : uriOf('runs', emitter, run);
}

/** The result of an action's run, and where it is kept. */
export function actionAnswer(ran: ActionRun): Answer {
  return { operation: 'actions.run', uri: uriOf('action-runs', ran.id), data: ran };
}

/** Reads what a URI names. @throws WeirError `not_found`, also for what is no URI of ours */
export async function readDocument(uri: string, { call }: Caller): Promise<Answer> {
  const [, kind = '', path = ''] = /^weir:\/\/([a-z-]+)\/(.+)$/.exec(uri) ?? [];
  const [first = '', second = ''] = path.split('/').map(decoded);
  switch (kind as DocumentKind) {
    case 'sources':
      return { operation: 'sources.get', uri, data: await call('sources.get', { id: first }) };
    case 'workflows':
      return { operation: 'workflows.get', uri, data: await call('workflows.get', { id: first }) };
    case 'components':
      return {
        operation: 'components.get',
        uri,
        data: await call('components.get', { id: first }),
      };
    case 'events':
      if (second === '') {
        const { data } = await call('events.list', { id: first, limit: 20 });
        return { operation: 'events.list', uri, data };
      }
      return {
        operation: 'events.get',
        uri,
        data: await call('events.get', { id: first, event_id: second }),
      };
    case 'runs':
      return {
        operation: 'invocations.get',
        uri,
        data: await call('invocations.get', { id: first, invocation_id: second }),
      };
    case 'executions':
      return {
        operation: 'executions.get',
        uri,
        data: await call('executions.get', { id: first }),
      };
    case 'action-runs':
      return {
        operation: 'action_runs.get',
        uri,
        data: await call('action_runs.get', { id: first }),
      };
    case 'deliveries':
      return {
        operation: 'deliveries.get',
        uri,
        data: await call('deliveries.get', { id: first }),
      };
    case 'logs': {
      const { data } = await call('logs.list', { id: first, limit: 100 });
      return { operation: 'logs.list', uri, data };
    }
    default:
      throw new WeirError(
        'not_found',
        `${uri} is not a document of Weir; take a URI that a tool gave.`,
      );
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
