import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { version } from '../../../../package.json';
import { describe, expect, test } from 'vitest';
import { WeirError } from '../../../../src/protocol/errors.ts';
import {
  createOperations,
  type Handlers,
} from '../../../../src/runtime/api/operations/operations.ts';
import { createRestFace } from '../../../../src/runtime/api/rest.ts';
import { catalogue } from '../../../../src/protocol/schemas/catalogue.ts';
import { type Harness, startHarness } from './harness.ts';

const reported: unknown[] = [];

/** REST over handlers that answer with the params they were given, unless the test has its own. */
async function start(handlers: Partial<Handlers> = {}): Promise<Harness> {
  const echo = Object.fromEntries(
    Object.keys(catalogue).map((name) => [name, (params: unknown) => ({ name, params })]),
  );
  const report = (_where: string, error: unknown): void => void reported.push(error);
  const api = createRestFace({
    operations: createOperations(
      { ...echo, ...handlers } as Handlers,
      report,
      async () => undefined,
    ),
    sse: {
      streams: 0,
      open: (response) => Promise.resolve(void response.end('stream')),
      close: () => undefined,
    },
    report,
    bodyLimit: 10_000,
  });
  const runtime = await startHarness({ api });
  return runtime;
}

async function ask(
  runtime: Harness,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; headers: Headers; json: unknown }> {
  const response = await fetch(runtime.url + path, {
    method,
    headers: { authorization: `Bearer ${runtime.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: JSON.parse(text) as unknown };
}

const props = { a: 1 };
const text = encodeURIComponent(JSON.stringify(props));

describe('a request becomes params', () => {
  test.each<[string, string, string, unknown, string, unknown]>([
    ['path', 'GET', '/v1/sources/dc_1', undefined, 'sources.get', { id: 'dc_1' }],
    ['an encoded path', 'GET', '/v1/sources/a%2Fb', undefined, 'sources.get', { id: 'a/b' }],
    [
      'query',
      'GET',
      '/v1/sources?limit=5&after=x',
      undefined,
      'sources.list',
      { limit: 5, after: 'x' },
    ],
    ['a trailing slash', 'GET', '/v1/sources/?limit=5', undefined, 'sources.list', { limit: 5 }],
    ['the twin', 'GET', '/v1/users/me/sources/', undefined, 'sources.list', {}],
    [
      'body',
      'POST',
      '/v1/sources',
      { key: 'k', configured_props: props },
      'sources.deploy',
      { key: 'k', configured_props: props },
    ],
    [
      'query with POST',
      'POST',
      `/v1/sources?key=k&configured_props=${text}`,
      undefined,
      'sources.deploy',
      { key: 'k', configured_props: props },
    ],
    [
      'body over query',
      'PUT',
      '/v1/sources/dc_1?name=q&active=false',
      { name: 'b' },
      'sources.update',
      { id: 'dc_1', name: 'b', active: false },
    ],
    [
      'path over body and query',
      'PUT',
      '/v1/sources/dc_1?id=q',
      { id: 'b' },
      'sources.update',
      { id: 'dc_1' },
    ],
    [
      'an event in JSON',
      'POST',
      `/v1/sources/dc_1/invocations?event=${text}`,
      undefined,
      'sources.invoke',
      { id: 'dc_1', event: props },
    ],
    [
      'an event in words',
      'POST',
      '/v1/sources/dc_1/invocations?event=hi+there',
      undefined,
      'sources.invoke',
      { id: 'dc_1', event: 'hi there' },
    ],
    [
      'an event in the body',
      'POST',
      '/v1/sources/dc_1/invocations',
      { event: '5' },
      'sources.invoke',
      { id: 'dc_1', event: '5' },
    ],
    [
      'two path parameters',
      'GET',
      '/v1/sources/dc_1/events/1-0',
      undefined,
      'events.get',
      { id: 'dc_1', event_id: '1-0' },
    ],
    [
      'a flag',
      'GET',
      '/v1/accounts/apn_1?include_credentials=1',
      undefined,
      'accounts.get',
      { id: 'apn_1', include_credentials: true },
    ],
    ['parameters nobody knows', 'GET', '/v1/webhooks?org_id=o_1', undefined, 'webhooks.list', {}],
    [
      'a body with DELETE',
      'DELETE',
      '/v1/subscriptions',
      { emitter_id: 'e', event_name: '' },
      'subscriptions.delete',
      { emitter_id: 'e', event_name: '' },
    ],
  ])('%s', async (_name, method, path, body, name, params) => {
    const { status, json } = await ask(await start(), method, path, body);
    expect({ status, json }).toEqual({ status: 200, json: { data: { name, params } } });
  });

  test('a body with GET', async () => {
    const runtime = await start();
    const url = new URL('/v1/sources', runtime.url);
    const body = '{"limit":3}';
    const headers = { authorization: `Bearer ${runtime.apiKey}`, 'content-length': body.length };
    const request = httpRequest(url, { method: 'GET', headers }).end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let answer = '';
    for await (const piece of response) answer += String(piece);
    expect(JSON.parse(answer)).toMatchObject({ data: { params: { limit: 3 } } });
  });
});

test('every route of the catalogue is reached', async () => {
  const runtime = await start();
  const unreached: string[] = [];
  for (const { rest = [] } of Object.values(catalogue)) {
    for (const { method, path } of rest) {
      const { status } = await ask(runtime, method, path.replaceAll(/\{\w+\}/g, 'x'));
      // 400 is an operation that misses its params: it was reached.
      if (![200, 202, 400].includes(status)) unreached.push(`${method} ${path}: ${status}`);
    }
  }
  expect(unreached).toEqual([]);
});

describe('a result becomes a reply', () => {
  const page = {
    page_info: { total_count: 1, count: 1, start_cursor: 'a', end_cursor: 'a' },
    data: [{ id: 'wh_1', url: 'http://x', name: null }],
  };
  const list = { 'webhooks.list': () => page as never };

  test('a page keeps its page_info beside data', async () => {
    const { json } = await ask(await start(list), 'GET', '/v1/webhooks');
    expect(json).toEqual(page);
  });

  test.each([
    ['include=id,name', { id: 'wh_1', name: null }],
    ['exclude=id', { url: 'http://x', name: null }],
    ['include=id,url&exclude=url', { id: 'wh_1' }],
    ['include=', { id: 'wh_1', url: 'http://x', name: null }],
  ])('%s', async (query, item) => {
    const { json } = await ask(await start(list), 'GET', `/v1/webhooks?${query}`);
    expect(json).toEqual({ ...page, data: [item] });
  });

  test('deleting events is 202', async () => {
    const { status } = await ask(await start(), 'DELETE', '/v1/sources/dc_1/events');
    expect(status).toBe(202);
  });
});

describe('errors', () => {
  test.each<[string, string, string, unknown, number, string]>([
    ['an unknown path', 'GET', '/v1/nothing', undefined, 404, 'not_found'],
    ['a wrong method', 'PATCH', '/v1/sources', {}, 405, 'method_not_allowed'],
    [
      'a wrong method of a nested path',
      'POST',
      '/v1/sources/dc_1/logs',
      {},
      405,
      'method_not_allowed',
    ],
    ['a parameter out of range', 'GET', '/v1/sources?limit=0', undefined, 400, 'bad_input'],
    [
      'a field that is not there',
      'GET',
      '/v1/webhooks?include=id,nme',
      undefined,
      400,
      'bad_input',
    ],
    [
      'a field to leave out that is not there',
      'GET',
      '/v1/sources/x?exclude=nme',
      undefined,
      400,
      'bad_input',
    ],
    ['a parameter that is missing', 'POST', '/v1/webhooks', {}, 400, 'bad_input'],
    ['a body that is not JSON', 'POST', '/v1/webhooks', '{"url":', 400, 'bad_input'],
    ['a body that is no object', 'POST', '/v1/webhooks', '[1]', 400, 'bad_input'],
    [
      'JSON in the query that is none',
      'POST',
      '/v1/sources?configured_props=x',
      undefined,
      400,
      'bad_input',
    ],
    [
      'a body that is too large',
      'POST',
      '/v1/webhooks',
      { url: 'x'.repeat(20_000) },
      413,
      'too_large',
    ],
  ])('%s', async (_name, method, path, body, status, code) => {
    const answer = await ask(await start(), method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ code, error: expect.stringMatching(/\.$|;|:/) });
  });

  test('a wrong method tells the right ones', async () => {
    const { headers } = await ask(await start(), 'PATCH', '/v1/sources', {});
    expect(headers.get('allow')).toBe('GET, POST');
  });

  test('what an operation raises, with its details', async () => {
    const details = [{ message: 'hook failed', hook: 'deploy' }];
    const runtime = await start({
      'sources.deploy': () => {
        throw new WeirError('component_failed', 'The deploy hook failed.', details);
      },
    });
    const { status, json } = await ask(runtime, 'POST', '/v1/sources', {});
    expect(status).toBe(422);
    const error = 'The deploy hook failed.';
    expect(json).toEqual({ error, code: 'component_failed', details, observations: details });
  });

  test('an error of ours shows nothing', async () => {
    const runtime = await start({
      'sources.list': () => {
        throw new Error('password=hunter2');
      },
    });
    const { status, json } = await ask(runtime, 'GET', '/v1/sources');
    expect(status).toBe(500);
    expect(JSON.stringify(json)).not.toMatch(/hunter2|\.ts/);
  });
});

test('a caller that goes away aborts the operation', async () => {
  let signal: AbortSignal | undefined;
  const runtime = await start({
    'sources.invoke': (_params, context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    },
  });
  const caller = new AbortController();
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const url = `${runtime.url}/v1/sources/x/invocations`;
  const asked = fetch(url, { method: 'POST', headers, signal: caller.signal });
  await expect.poll(() => signal).toBeDefined();
  caller.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  await expect.poll(() => signal?.aborted).toBe(true);
});

test('health says only that', async () => {
  const response = await fetch(`${(await start()).url}/v1/health`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

describe('openapi.json', () => {
  test('describes every documented route with parameters and answer', async () => {
    const { json } = await ask(await start(), 'GET', '/v1/openapi.json');
    const { openapi, info, paths } = json as {
      openapi: string;
      info: { version: string };
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    expect([openapi, info.version]).toEqual(['3.1.0', version]);
    const described = Object.values(paths).flatMap((path) => Object.values(path));
    const expected = Object.entries(catalogue).flatMap(([name, { rest }]) => (rest ? [name] : []));
    const names = described.flatMap(({ operationId }) => operationId ?? []);
    // What is no operation: it does not end with one answer, or needs no key.
    const others = ['events.stream', 'logs.stream', 'health'];
    expect(names.toSorted()).toEqual([...expected, ...others].toSorted());
    expect(paths['/v1/sources/{id}/event_summaries']?.['get']).toMatchObject({
      parameters: expect.arrayContaining([
        { name: 'id', in: 'path', required: true, schema: expect.anything() },
        {
          name: 'limit',
          in: 'query',
          required: false,
          schema: { type: 'integer', minimum: 1, maximum: 100 },
        },
      ]),
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { properties: { page_info: expect.anything(), data: { type: 'array' } } },
            },
          },
        },
      },
    });
    expect(paths['/v1/webhooks']?.['post']).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { required: ['url'] } } } },
    });
  });
});
