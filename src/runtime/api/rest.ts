/**
 * The REST face, made from the catalogue (P16). It knows how a request
 * becomes params and a result becomes a reply, and no rule of any operation.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationName } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Operations } from './operations/operations.ts';
import { readText } from '../server/read-body.ts';
import { errorBody, jsonType, presentable, sendJson } from '../server/reply.ts';
import { type Caller, refuseScope } from '../server/access/caller.ts';
import type { ApiHandler } from '../server/server.ts';
import { openApi } from './openapi.ts';
import { fieldsOf, requireFields, selectFields } from './rest-fields.ts';
import { mergeParams, type Notation, notationsOf, parseBody, type Values } from './rest-params.ts';
import { createRestRouter } from './rest-router.ts';
import { allRoutes, type OperationRoute, streamPaths, otherStreamPaths } from './routes.ts';
import type { SseFace } from './sse.ts';
import type { BaseServices } from '../base/services.ts';

export interface RestOptions extends Pick<BaseServices, 'report'> {
  readonly operations: Operations;
  readonly sse: SseFace;
  /** The text of `/metrics`; without it, there are no metrics. */
  readonly metrics?: (() => Promise<{ readonly type: string; readonly text: string }>) | undefined;
  /** Bytes of a request body; 5 MB unless given. */
  readonly bodyLimit?: number;
}

interface Exchange {
  readonly caller: Caller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

type Handler = (exchange: Exchange) => void | Promise<void>;

export function createRestFace(options: RestOptions): ApiHandler {
  const { operations, sse, metrics, report, bodyLimit = 5 * 1024 * 1024 } = options;
  const router = createRestRouter<Handler>();
  const notations = new Map<OperationName, Record<string, Notation>>();
  let document: object | undefined;

  router.add('GET', '/v1/health', ({ response }) => sendJson(response, 200, { status: 'ok' }));
  router.add('GET', '/v1/openapi.json', ({ response }) =>
    sendJson(response, 200, (document ??= openApi())),
  );
  router.add('GET', '/metrics', async ({ response, caller }) => {
    const refused = refuseScope('/metrics', caller, 'read');
    if (refused !== undefined || metrics === undefined) throw refused ?? noMetrics;
    const { type, text } = await metrics();
    const removed = refuseScope('/metrics', caller, 'read');
    if (removed !== undefined) throw removed;
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  for (const [path, feed] of Object.entries({ ...streamPaths, ...otherStreamPaths })) {
    router.add('GET', path, ({ request, response, caller, params, query }) => {
      const header = request.headers['last-event-id'];
      const seen = header === undefined ? query.get('last_event_id') : String(header);
      const source = params['id'] ?? '';
      const isHead = request.method === 'HEAD';
      return sse.open(response, { caller, feed, source, seen: seen ?? undefined, isHead });
    });
  }
  for (const operation of allRoutes()) {
    router.add(operation.method, operation.path, (exchange) => answer(exchange, operation));
  }

  async function answer(exchange: Exchange, operation: OperationRoute): Promise<void> {
    const { response, caller } = exchange;
    const { name, status = 200 } = operation;
    const params = await paramsOf(exchange, operation);
    // Before anything is done: an operation that fails has no effect.
    requireFields(params, fieldsOf(name));
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    response.on('close', leave);
    try {
      const result = await operations.call(name, params, {
        caller,
        signal: gone.signal,
        progress: () => undefined,
        answered: () => new Promise((resolve) => response.once('close', () => resolve())),
      });
      sendJson(response, status, envelope(result, params));
    } finally {
      response.off('close', leave);
    }
  }

  async function paramsOf(
    exchange: Exchange,
    { name, bodyLimit: limit = bodyLimit }: OperationRoute,
  ): Promise<Values> {
    const { request, params, query } = exchange;
    const notation = notations.get(name) ?? notationsOf(name);
    notations.set(name, notation);
    // With any method: the platform's API takes a body with GET too.
    const body = parseBody(await readText(request, limit));
    // If a parameter is given twice, the first counts.
    const written = Object.fromEntries([...query].toReversed());
    return mergeParams(params, body, written, notation);
  }

  return async (request, response, refuse, caller) => {
    const { method = 'GET', url = '/' } = request;
    const [path = '/', ...search] = url.split('?');
    try {
      const found = router.find(method, path);
      if (found === undefined) {
        throw new WeirError(
          'not_found',
          `There is no ${path}; /v1/openapi.json lists what there is.`,
        );
      }
      if ('allow' in found) {
        const allow = found.allow.join(', ');
        response.setHeader('allow', allow);
        throw new WeirError('method_not_allowed', `${method} is not possible here; use ${allow}.`);
      }
      const query = new URLSearchParams(search.join('?'));
      await found.handler({ caller, request, response, params: found.params, query });
    } catch (thrown) {
      if (!WeirError.is(thrown)) report(`${method} ${path}`, thrown);
      const error = presentable(thrown);
      if (error.code !== 'too_large') sendJson(response, error.status, errorBody(error));
      else refuse(response, error.status, jsonType, JSON.stringify(errorBody(error)));
    }
  };
}

const noMetrics = new WeirError('not_found', 'There are no metrics here.');

/** `{data}`, or `{page_info, data}` of a list. */
function envelope(result: unknown, params: Values): object {
  if (typeof result === 'object' && result !== null && 'page_info' in result && 'data' in result) {
    return { page_info: result.page_info, data: selectFields(result.data, params) };
  }
  return { data: selectFields(result, params) };
}
