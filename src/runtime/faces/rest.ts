/**
 * The REST face, made from the catalogue (interfaces.md "REST", reference §6). It knows how a request
 * becomes params and a result becomes a reply, and no rule of any operation.
 */
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { WeirError } from '../../protocol/errors.ts';
import type { OperationName } from '../../protocol/catalogue.ts';
import type { Operations } from '../operations/operations.ts';
import { errorBody, presentable } from '../server/reply.ts';
import type { RequestHandler } from '../server/server.ts';
import { openApi } from './openapi.ts';
import { readBody } from './read-body.ts';
import { selectFields } from './rest-fields.ts';
import { mergeParams, type Notation, notationsOf, parseBody, type Values } from './rest-params.ts';
import { allRoutes, type OperationRoute, streamPaths } from './routes.ts';
import type { SseFace } from './sse.ts';

export interface RestOptions {
  readonly operations: Operations;
  readonly sse: SseFace;
  readonly report: (where: string, error: unknown) => void;
  /** Bytes of a request body; 5 MB unless said. */
  readonly bodyLimit?: number;
}

type Env = { Bindings: HttpBindings };

export function createRestFace(options: RestOptions): RequestHandler {
  const { operations, sse, report, bodyLimit = 5 * 1024 * 1024 } = options;
  const app = new Hono<Env>({ strict: false });
  const notations = new Map<OperationName, Record<string, Notation>>();
  const methods = new Map<string, Set<string>>();
  let document: object | undefined;

  const route = (
    method: string,
    path: string,
    handler: (c: Context<Env>) => Response | Promise<Response>,
  ): void => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    methods.set(pattern, (methods.get(pattern) ?? new Set()).add(method));
    app.on(method, pattern, handler);
  };

  route('GET', '/v1/health', (c) => c.json({ status: 'ok' }));
  route('GET', '/v1/openapi.json', (c) => c.json((document ??= openApi())));
  for (const [path, feed] of Object.entries(streamPaths)) {
    route('GET', path, async (c) => {
      const seen = c.req.header('last-event-id') ?? c.req.query('last_event_id');
      await sse.open(c.env.outgoing, { feed, source: c.req.param('id') ?? '', seen });
      return RESPONSE_ALREADY_SENT;
    });
  }
  for (const operation of allRoutes()) {
    route(operation.method, operation.path, (c) => answer(c, operation));
  }
  for (const [pattern, allowed] of methods) {
    const allow = [...allowed].join(', ');
    app.all(pattern, (c) => {
      const error = `${c.req.method} is not possible here; use ${allow}.`;
      return c.json({ error, code: 'method_not_allowed' }, 405, { allow });
    });
  }
  app.notFound((c) => {
    const error = `There is no ${c.req.path}; /v1/openapi.json lists what there is.`;
    return c.json({ error, code: 'not_found' }, 404);
  });
  app.onError((thrown, c) => {
    if (!WeirError.is(thrown)) report(`${c.req.method} ${c.req.path}`, thrown);
    const error = presentable(thrown);
    // The rest of a body that is too large is not read: the connection cannot be used again.
    if (error.code === 'too_large') c.header('connection', 'close');
    return c.json(errorBody(error), error.status as ContentfulStatusCode);
  });

  async function answer(
    c: Context<Env>,
    { name, status = 200 }: OperationRoute,
  ): Promise<Response> {
    const params = await paramsOf(c, name);
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    c.env.outgoing.on('close', leave);
    try {
      const result = await operations.call(name, params, {
        signal: gone.signal,
        progress: () => undefined,
      });
      return c.json(envelope(result, params), status as ContentfulStatusCode);
    } finally {
      c.env.outgoing.off('close', leave);
    }
  }

  async function paramsOf(c: Context<Env>, name: OperationName): Promise<Values> {
    const notation = notations.get(name) ?? notationsOf(name);
    notations.set(name, notation);
    // From the socket: the platform's API takes a body with GET too, a web Request has none there.
    const body = parseBody(await readBody(c.env.incoming, bodyLimit));
    return mergeParams(c.req.param(), body, c.req.query(), notation);
  }

  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (request, response) => listener(request, response);
}

/** `{data}`, or `{page_info, data}` of a list. */
function envelope(result: unknown, params: Values): object {
  if (typeof result === 'object' && result !== null && 'page_info' in result && 'data' in result) {
    return { page_info: result.page_info, data: selectFields(result.data, params) };
  }
  return { data: selectFields(result, params) };
}
