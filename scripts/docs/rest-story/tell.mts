/** Tells the chapters to a runtime and notes what they show. */
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { resolve } from 'node:path';
import type { OperationName, Params, Result } from '../../../src/protocol/catalogue.ts';
import { allRoutes, type OperationRoute } from '../../../src/runtime/api/routes.ts';
import type { Chapter, Exchange, Fields, RestRequest, Story } from './story.mts';

export interface Shown {
  readonly title: string;
  /** Undefined of a stream, and of a request that is shown for its answer. */
  readonly operation?: OperationName;
  readonly text?: string;
  /** Method and path, the parameters as `{name}`. */
  readonly address: string;
  readonly exchange: Exchange;
}

export interface ToldChapter {
  readonly title: string;
  readonly text: string | undefined;
  readonly shown: readonly Shown[];
}

/** Where the story happens. */
export interface World {
  readonly url: string;
  readonly apiKey: string;
  readonly receiver: Story['receiver'];
  /** Sends a request with the key. */
  readonly send: (request: RestRequest) => Promise<Exchange>;
}

const mainRoutes: ReadonlyMap<string, OperationRoute> = new Map(
  allRoutes()
    .filter(({ main }) => main)
    .map((route) => [route.name, route]),
);

/** @throws Error when a call of a chapter fails */
export async function tell(chapters: readonly Chapter[], world: World): Promise<ToldChapter[]> {
  const told: ToldChapter[] = [];
  for (const chapter of chapters) {
    const shown: Shown[] = [];
    await chapter.tell(storyOf(world, (one) => shown.push(one)));
    told.push({ title: chapter.title, text: chapter.text, shown });
  }
  return told;
}

/** The operations that stand in REST and that no chapter shows. */
export function untold(told: readonly ToldChapter[]): string[] {
  const shown = new Set(told.flatMap((chapter) => chapter.shown.map(({ operation }) => operation)));
  return [...mainRoutes.values()]
    .filter(({ name }) => !shown.has(name))
    .map(
      ({ name, method, path }) =>
        `${name} (${method} ${path}) has no example in docs/rest-api.md: add \`await show('…', '${name}', {…})\` to a chapter in scripts/docs/rest-story, then run npm run docs.`,
    );
}

function storyOf(world: World, note: (shown: Shown) => void): Story {
  const { url, apiKey, receiver, send } = world;

  async function succeed(name: OperationName, request: RestRequest): Promise<Exchange> {
    const exchange = await send(request);
    if (exchange.status < 300) return exchange;
    throw new Error(`${name}: ${exchange.status} ${JSON.stringify(exchange.answer)}`);
  }

  return {
    receiver,
    example: (name) => resolve('examples', name, `${name}.ts`),
    async show<N extends OperationName>(
      title: string,
      operation: N,
      params: Params<N>,
      fields: Fields = {},
    ) {
      const exchange = await succeed(operation, requestOf(operation, params, fields));
      note({ title, operation, address: addressOf(operation), exchange });
      return resultOf<N>(exchange);
    },
    async showRequest(title, request, text) {
      const exchange = await send(request);
      const address = `${request.method} ${request.path}`;
      note({ title, address, exchange, ...(text !== undefined && { text }) });
    },
    async showStream(title, path, id, act) {
      const request = { method: 'GET', path: path.replace('{id}', id) };
      const gone = new AbortController();
      const response = await fetch(url + request.path, {
        headers: { authorization: `Bearer ${apiKey}` },
        signal: gone.signal,
      });
      const messages = readMessages(response);
      // The handshake: what happens from now on is told.
      const first = await messages.next();
      const [second] = await Promise.all([messages.next(), act()]);
      gone.abort();
      const answer = `${first.value}${second.value}`;
      const exchange = {
        request,
        status: response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
        answer,
      };
      note({ title, address: `GET ${path}`, exchange });
    },
    async call<N extends OperationName>(name: N, params: Params<N>) {
      return resultOf<N>(await succeed(name, requestOf(name, params, {})));
    },
    async post(endpoint, body) {
      const headers = { 'content-type': 'application/json', 'user-agent': 'shop' };
      // Not by fetch, whose own headers the page would show.
      const sent = httpRequest(endpoint ?? '', { method: 'POST', headers, agent: false });
      sent.end(JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      if (response.statusCode !== 200) throw new Error(`It answered ${response.statusCode}.`);
    },
  };
}

function addressOf(operation: OperationName): string {
  const route = mainRoutes.get(operation);
  if (route === undefined) throw new Error(`${operation} does not stand in REST.`);
  return `${route.method} ${route.path}`;
}

/** Path and query string. */
export function targetOf({ path, query = {} }: RestRequest): string {
  const written = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(textOf(value)).replaceAll('%2C', ',')}`,
  );
  return written.length === 0 ? path : `${path}?${written.join('&')}`;
}

/** As a query string has it (P16.2). */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function requestOf(name: OperationName, params: object, fields: Fields): RestRequest {
  const route = mainRoutes.get(name);
  if (route === undefined) throw new Error(`${name} does not stand in REST.`);
  const rest: Record<string, unknown> = { ...params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => {
    const value = rest[parameter];
    delete rest[parameter];
    return encodeURIComponent(String(value));
  });
  const { method } = route;
  const hasBody = method === 'POST' || method === 'PUT';
  if (!hasBody) return { method, path, query: { ...rest, ...fields } };
  return {
    method,
    path,
    query: { ...fields },
    ...(Object.keys(rest).length > 0 && { body: rest }),
  };
}

function resultOf<N extends OperationName>({ answer }: Exchange): Result<N> {
  const envelope = answer as { readonly data: unknown };
  return ('page_info' in envelope ? envelope : envelope.data) as Result<N>;
}

/** Comments and messages of a stream, each with the blank line at its end. */
async function* readMessages({ body }: Response): AsyncGenerator<string, string> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) break;
      yield text.slice(0, end + 2);
      text = text.slice(end + 2);
    }
  }
  return text;
}
