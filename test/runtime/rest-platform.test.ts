/** What a client that was written for the platform meets over REST (P16, P17, P20, P21). */
import { expect, test } from 'vitest';
import type { Component, Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

const deploy = (body: object) => runtime.restData<Source>('POST', '/v1/sources', body);
const sourceNamed = (name: string) => `export default { name: '${name}', run() {} }`;

test('of component_id, component_code and component_url the first counts (P17.1)', async () => {
  const code = await deploy({
    component_code: sourceNamed('Code'),
    component_url: 'http://x.test/a.mjs',
  });
  expect(code.name).toBe('Code');
  const { component_id } = code;
  expect(await deploy({ component_id, component_code: sourceNamed('Other') })).toMatchObject({
    name: 'Code',
    component_id,
  });
});

test('a path or a key beside another origin is refused (P17.2)', async () => {
  const component_path = await runtime.file('path.mjs', sourceNamed('Path'));
  for (const other of [
    { component_code: sourceNamed('Code') },
    { key: 'a-b' },
    { component_id: 'sc_1' },
  ]) {
    expect(await runtime.rest('POST', '/v1/sources', { component_path, ...other })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Give one of component_path') },
    });
  }
});

test.each([
  [
    'CommonJS',
    `const { sep } = require('node:path'); module.exports = { name: 'In cjs', run() { this.$emit(sep) } }`,
  ],
  [
    'TypeScript',
    `const answer: string = '/'; export default { name: 'In ts', run(this: any) { this.$emit(answer as unknown) } }`,
  ],
])('component_code in %s runs', async (_language, component_code) => {
  const { id } = await deploy({ component_code });
  const run = await runtime.restData<object>('POST', `/v1/sources/${id}/invocations`);
  expect(run).toMatchObject({ status: 'succeeded', emitted: [{ event: '/' }] });
});

test('a saved component has its code and 64 hex of code_hash (P17.9)', async () => {
  const code = `export default { key: 'saved-one', version: '0.0.1', name: 'Saved', type: 'source', run() {} }\n`;
  const path = await runtime.file('saved.mjs', code);
  const made = await runtime.restData<Component>('POST', '/v1/components', {
    component_path: path,
  });
  expect(made).toMatchObject({ code, code_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  await runtime.file('saved.mjs', 'changed since');
  expect(await runtime.restData('GET', '/v1/components/saved-one')).toEqual(made);
  const source = await deploy({ key: 'saved-one' });
  expect(source.code_hash).toBe(made.code_hash);
  expect(await runtime.restData('GET', `/v1/sources/${source.id}?include_code=1`)).toMatchObject({
    code,
  });
});

test('a component that failed answers with observations (P17.16)', async () => {
  const component_code = `export default { name: 'Fails', run() {},
    hooks: { deploy() { console.log('about to fail'); throw new TypeError('no deploy today') } } }`;
  expect(await runtime.rest('POST', '/v1/sources', { component_code })).toMatchObject({
    status: 422,
    body: {
      code: 'component_failed',
      observations: expect.arrayContaining([
        { k: 'console', ts: expect.any(Number), level: 'info', message: 'about to fail' },
        expect.objectContaining({
          k: 'error',
          message: expect.stringContaining('no deploy today'),
        }),
      ]),
    },
  });
});

test('names in any script (P21.4, P21.10)', async () => {
  const source = await deploy({ component_code: sourceNamed('Any'), name: '東京 の天気' });
  expect(source).toMatchObject({ name: '東京 の天気', name_slug: '東京-の天気' });
  const path = `/v1/sources/${encodeURIComponent(source.name_slug)}`;
  expect(await runtime.restData('PUT', path, { name: 'Погода' })).toMatchObject({
    id: source.id,
    name_slug: 'погода',
  });
  expect(await runtime.restData('PUT', `/v1/sources/${source.id}`, { name: '🌦' })).toMatchObject({
    name: '🌦',
    name_slug: source.id.toLowerCase().replace('_', '-'),
  });
  expect(await runtime.rest('PUT', `/v1/sources/${source.id}`, { name: ' ' })).toMatchObject({
    status: 400,
    body: { error: 'The name is empty. Give one.' },
  });
});

test('who the key belongs to (P16.15)', async () => {
  const me = await runtime.restData<object>('GET', '/v1/users/me');
  expect(me).toEqual({
    id: expect.stringMatching(/^u_\w{7}$/),
    username: expect.stringMatching(/./),
    email: null,
    orgs: [],
  });
  expect(await runtime.restData('GET', '/v1/users/me')).toEqual(me);
});

test('a stream without /v1 (P20.8)', async () => {
  const { id } = await deploy({ component_code: sourceNamed('Stream') });
  const authorization = `Bearer ${runtime.apiKey}`;
  const gone = new AbortController();
  for (const path of [`/sources/${id}/sse`, `/sources/${id}/logs/sse`]) {
    const response = await fetch(runtime.url + path, {
      headers: { authorization },
      signal: gone.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  }
  gone.abort();
  expect((await fetch(`${runtime.url}/sources/${id}/sse`)).status).toBe(401);
});

test('a webhook and an account are found by their names (P21.11)', async () => {
  const hook = await runtime.restData<{ id: string }>('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/x',
    name: 'My hook',
  });
  for (const name of [hook.id, 'My%20hook', 'my-hook']) {
    expect(await runtime.restData('GET', `/v1/webhooks/${name}`)).toMatchObject({ id: hook.id });
  }
  await runtime.restData('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/y', name: 'My hook' });
  expect(await runtime.rest('GET', '/v1/webhooks/my-hook')).toMatchObject({ status: 409 });
  const account = await runtime.restData<{ id: string }>('POST', '/v1/accounts', {
    app: 'acme',
    name: 'Mine',
    credentials: { api_key: 'x' },
  });
  expect(await runtime.restData('GET', '/v1/accounts/mine')).toMatchObject({ id: account.id });
  expect(await runtime.rest('DELETE', '/v1/accounts/Mine')).toMatchObject({ status: 200 });
  expect(await runtime.rest('GET', `/v1/accounts/${account.id}`)).toMatchObject({ status: 404 });
});

test('subscriptions and deliveries find a webhook by its name (P21.11)', async () => {
  const hook = await runtime.restData<{ id: string }>('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/named',
    name: 'Named once',
  });
  const source = await deploy({
    component_code: `export default { name: 'Named once too', run() { this.$emit(1) } }`,
  });
  const subscription = { emitter_id: 'named-once-too', listener_id: 'Named once' };
  expect(await runtime.restData('POST', '/v1/subscriptions', subscription)).toMatchObject({
    emitter_id: source.id,
    listener_id: hook.id,
  });
  await runtime.restData('POST', `/v1/sources/${source.id}/invocations`);
  for (const name of [hook.id, 'Named%20once', 'named-once']) {
    expect(await runtime.restData('GET', `/v1/deliveries?webhook_id=${name}`)).toMatchObject([
      { webhook_id: hook.id },
    ]);
  }
  expect(await runtime.rest('GET', '/v1/deliveries?webhook_id=no-such')).toMatchObject({
    status: 404,
    body: { error: 'There is no webhook no-such.' },
  });
  const redeliver = (webhook_id: string) =>
    runtime.rest('POST', '/v1/deliveries/redeliver', { failed: true, webhook_id });
  await until('the delivery to fail', async () => {
    const [failed] = await runtime.restData<{ status: string }[]>(
      'GET',
      '/v1/deliveries?webhook_id=named-once',
    );
    return failed?.status === 'retrying';
  });
  expect(await redeliver('no-such')).toMatchObject({ status: 404 });
  expect(await redeliver('named-once')).toMatchObject({
    status: 200,
    body: { data: { sent: [{ webhook_id: hook.id }] } },
  });
  const unknown = { ...subscription, listener_id: 'no-such' };
  expect(await runtime.rest('POST', '/v1/subscriptions', unknown)).toMatchObject({
    status: 404,
    body: { error: 'There is no listener no-such. Name a webhook or a source.' },
  });
  const query = 'emitter_id=named-once-too&listener_id=named-once';
  expect(await runtime.rest('DELETE', `/v1/subscriptions?${query}`)).toMatchObject({ status: 200 });
  await runtime.restData('DELETE', `/v1/webhooks/${hook.id}`);
  expect(await runtime.restData('GET', `/v1/deliveries?webhook_id=${hook.id}`)).toHaveLength(1);
});

test('a name that a webhook and a source share names no listener (P21.11)', async () => {
  await runtime.restData('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/s', name: 'Shared' });
  const { id } = await deploy({ component_code: sourceNamed('Shared') });
  const subscribe = (listener_id: string) =>
    runtime.rest('POST', '/v1/subscriptions', { emitter_id: 'dc_*', listener_id });
  expect(await subscribe('shared')).toMatchObject({ status: 409 });
  expect(await subscribe(id)).toMatchObject({ status: 200 });
});

test('deleting from an event that is not there deletes nothing', async () => {
  const { id } = await deploy({
    component_code: `export default { name: 'Range', run() { this.$emit(1) } }`,
  });
  await runtime.restData('POST', `/v1/sources/${id}/invocations`);
  expect(await runtime.rest('DELETE', `/v1/sources/${id}/events?start_id=1-0`)).toMatchObject({
    status: 404,
    body: { error: `${id} has no event 1-0; nothing was deleted.` },
  });
  expect(await runtime.restData('GET', `/v1/sources/${id}/event_summaries`)).toHaveLength(1);
});
