/** REST against a real runtime: the life of a source as a script would drive it. */
import { request } from 'node:http';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import type { IncomingMessage } from 'node:http';
import type { EmittedEvent, Page, Source, Webhook } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();
let path: string;

const code = `export default {
  name: 'Inbox', version: '0.0.1', props: { http: '$.interface.http', word: { type: 'string', optional: true } },
  hooks: { async deploy() { if (this.word === 'fail') throw new Error('no deploy today') } },
  run({ body }) { this.$emit({ ...body, filler: 'x'.repeat(3000) }) },
}`;

beforeAll(async () => {
  path = await runtime.file('inbox.mjs', code);
});

test('deploy, list, update, events, delete', async () => {
  const props = encodeURIComponent(JSON.stringify({ word: 'hi' }));
  const query = `component_path=${encodeURIComponent(path)}&name=By+query&configured_props=${props}`;
  const source = await runtime.restData<Source>('POST', `/v1/sources/?${query}`);
  expect(source).toMatchObject({ name: 'By query', name_slug: 'by-query', active: true });
  expect(source.configured_props).toEqual({
    http: { endpoint_url: source.endpoint_url },
    word: 'hi',
  });

  const twin = (await runtime.rest('GET', '/v1/users/me/sources/?include=id,name'))
    .body as Page<object>;
  expect(twin).toMatchObject({
    page_info: { total_count: 1 },
    data: [{ id: source.id, name: 'By query' }],
  });

  for (const n of [1, 2, 3]) {
    const headers = { 'content-type': 'application/json' };
    await fetch(source.endpoint_url!, { method: 'POST', headers, body: JSON.stringify({ n }) });
  }
  const list = `/v1/sources/by-query/event_summaries`;
  const events = await until('three events', async () => {
    const found = await runtime.restData<EmittedEvent[]>('GET', `${list}?expand=event`);
    return found.length === 3 && found;
  });
  expect(events.map(({ event }) => (event as { n: number }).n)).toEqual([3, 2, 1]);
  const [cut] = await runtime.restData<EmittedEvent[]>('GET', `${list}?limit=1`);
  expect(JSON.stringify(cut?.event).length).toBeLessThan(1500);

  const [newest, , oldest] = events;
  const range = `start_id=${oldest?.id}&end_id=${oldest?.id}`;
  expect(await runtime.rest('DELETE', `/v1/sources/${source.id}/events?${range}`)).toMatchObject({
    status: 202,
  });
  const left = await runtime.restData<EmittedEvent[]>('GET', list);
  expect(left.map(({ id }) => id)).toEqual([newest?.id, events[1]?.id]);

  const updated = await runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, {
    name: 'Other',
    active: false,
  });
  expect(updated).toMatchObject({ id: source.id, name: 'Other', active: false });
  expect(await runtime.rest('DELETE', `/v1/sources/${source.id}`)).toMatchObject({ status: 200 });
  expect(await runtime.rest('GET', `/v1/sources/${source.id}`)).toMatchObject({
    status: 404,
    body: { code: 'not_found', error: expect.stringContaining(source.id) },
  });
});

test('a deploy hook that fails is 422', async () => {
  const body = { component_path: path, configured_props: { word: 'fail' } };
  const answer = await runtime.rest('POST', '/v1/sources', body);
  expect(answer).toMatchObject({ status: 422, body: { code: 'component_failed' } });
  expect(JSON.stringify(answer.body)).toContain('no deploy today');
});

test('webhooks and subscriptions, which are idempotent', async () => {
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const webhook = await runtime.restData<Webhook>('POST', '/v1/webhooks?url=http://127.0.0.1:9/x');
  const query = `emitter_id=${source.id}&listener_id=${webhook.id}`;
  const first = await runtime.restData('POST', `/v1/subscriptions?${query}`);
  expect(await runtime.restData('POST', `/v1/subscriptions?${query}`)).toEqual(first);
  expect(await runtime.rest('DELETE', `/v1/subscriptions?${query}&event_name=`)).toMatchObject({
    status: 200,
  });
  expect(await runtime.restData('GET', '/v1/users/me/subscriptions')).toEqual([]);
});

describe('who may ask', () => {
  async function ask(headers: Record<string, string>, target = '/v1/sources'): Promise<number> {
    const url = new URL(target, runtime.url);
    const sent = request(url, { headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }

  test.each<[string, () => Record<string, string>, number]>([
    ['the key', () => key(), 200],
    ['no key', () => ({}), 401],
    ['a wrong key', () => ({ authorization: 'Bearer nope' }), 401],
    ['a foreign Host', () => ({ ...key(), host: 'rebound.example' }), 403],
    ['a web page', () => ({ ...key(), origin: 'https://evil.example' }), 403],
  ])('%s', async (_name, headers, status) => expect(await ask(headers())).toBe(status));

  test('health is open', async () => expect(await ask({}, '/v1/health')).toBe(200));

  function key(): Record<string, string> {
    return { authorization: `Bearer ${runtime.apiKey}` };
  }
});
