import { beforeAll, describe, expect, test } from 'vitest';
import type { ActionRun, PropOptions, Result, Source } from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';

/** Props whose values are services: data_store, http_request, dir (P14). */
let runtime: TestRuntime;
let folder: string;
const atEnd = atEndOfSuite();

const start = async () => {
  runtime = await startRuntime({ folder, atEnd });
};
beforeAll(async () => {
  folder = temporaryFolder(atEnd);
  await start();
});

const run = async (props: string, body: string, configured_props: object): Promise<unknown> => {
  const ran = await runtime.restData<ActionRun>('POST', '/v1/actions/run', {
    component_code: `export default { type: 'action', props: { ${props} }, async run({ $ }) { ${body} } }`,
    configured_props,
  });
  if (ran.error !== undefined) throw new Error(ran.error.message);
  return ran.return_value;
};
const withStore = (body: string, store: unknown = { storeId: 'ds_test123' }) =>
  run(`store: 'data_store'`, `const { store } = this; ${body}`, { store });

describe('data_store', () => {
  test('all methods are asynchronous and values are JSON copies', async () => {
    expect(
      await withStore(`
        const set = store.set('a', { when: new Date(0), n: 1 });
        const value = { deep: [1] };
        await store.set('b', value);
        value.deep.push(2);
        await store.set('c');
        return [set instanceof Promise, await set, await store.get('a'), await store.get('b'), await store.get('c'),
          await store.get('nothing') === undefined, await store.has('a'), await store.has('z'), await store.keys()];`),
    ).toEqual([
      true,
      null,
      { when: '1970-01-01T00:00:00.000Z', n: 1 },
      { deep: [1] },
      null,
      true,
      true,
      false,
      ['a', 'b', 'c'],
    ]);
    expect(await withStore(`await store.delete('c'); return store.entries();`)).toEqual([
      ['a', { when: '1970-01-01T00:00:00.000Z', n: 1 }],
      ['b', { deep: [1] }],
    ]);
  });

  test('what was set without waiting is kept, and outlives the runtime', async () => {
    await withStore(`store.set('left', 'behind');`, 'by name');
    await runtime.kill();
    await start();
    expect(await withStore(`return store.get('left');`, 'by name')).toBe('behind');
    expect(await withStore(`return store.get('a');`)).toMatchObject({ n: 1 });
    const { body } = await runtime.rest('GET', '/v1/data_stores');
    expect(body).toMatchObject({
      data: [
        { id: 'ds_test123', name: 'ds_test123' },
        { id: expect.stringMatching(/^ds_\w{7}$/), name: 'by name' },
      ],
    });
  });

  test('a value with a ttl goes when its time is over', async () => {
    expect(
      await withStore(
        `
        await store.set('short', 1, { ttl: 0.05 });
        await store.set('kept', 2, { ttl: 60 });
        await store.setTtl('kept', null);
        while (await store.has('short')) await new Promise((next) => setTimeout(next, 10));
        return [await store.get('short'), await store.get('kept')];`,
        'ttl',
      ),
    ).toEqual([null, 2]);
    await expect(withStore(`await store.set('a', 1, { ttl: 99999999 })`)).rejects.toThrow(
      'ttl is a number of seconds',
    );
  });

  test('iteration goes through all keys; listing more than 1,024 is refused', async () => {
    const many = await withStore(
      `
      await Promise.all(Array.from({ length: 1025 }, (_, i) => store.set('k' + String(i).padStart(5, '0'), i)));
      const seen = []; for await (const [key, value] of store) seen.push(key + value);
      const refused = await store.keys().catch((error) => error.message);
      await store.delete('k00000');
      const listed = (await store.entries()).length;
      await store.clear();
      return [seen.length, seen[0], seen.at(-1), refused, listed, await store.keys()];`,
      'many',
    );
    expect(many).toEqual([
      1025,
      'k000000',
      'k010241024',
      expect.stringContaining('more than 1024 keys'),
      1024,
      [],
    ]);
  });

  test('options of another prop may ask it for its keys', async () => {
    const component_path = await sourceFile(
      folder,
      'keys.mjs',
      `
      const app = { type: 'app', app: 'data_stores', propDefinitions: {
        key: { type: 'string', options({ dataStore }) { return dataStore.keys(); } } } };
      export default { type: 'action', run() {}, props: { app, dataStore: 'data_store',
        key: { propDefinition: [app, 'key', ({ dataStore }) => ({ dataStore })] } } };`,
    );
    const { options } = await runtime.restData<PropOptions>('POST', '/v1/components/configure', {
      component_path,
      prop_name: 'key',
      configured_props: { dataStore: { storeId: 'ds_test123' } },
    });
    expect(options.map(({ value }) => value)).toEqual(['a', 'b']);
  });

  test('one that is optional and not chosen is absent; a deleted one is empty', async () => {
    expect(
      await run(`store: { type: 'data_store', optional: true }`, `return 'store' in this;`, {}),
    ).toBe(false);
    await runtime.restData('DELETE', '/v1/data_stores/by name');
    expect(await withStore(`return store.keys();`, 'by name')).toEqual([]);
  });
});

describe('http_request', () => {
  interface Got {
    method?: string | undefined;
    url?: string | undefined;
    body: string;
    [header: string]: unknown;
  }
  const got: Got[] = [];
  let base: string;
  beforeAll(async () => {
    const answer = ({ method, url, path, headers, body }: Received) => {
      const [type, auth, x] = [headers['content-type'], headers.authorization, headers['x-row']];
      got.push({ method, url, body, type, auth, x });
      return {
        status: path.startsWith('/fail') ? 418 : 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: { ok: true },
      };
    };
    ({ url: base } = await startReceiver({ answer, atEnd }));
  });
  const execute = (request: object, body = 'return this.req.execute();') =>
    run(`req: 'http_request'`, body, { req: request });

  test.for<[string, object, object]>([
    ['a bare URL', {}, { method: 'GET', url: '/in' }],
    [
      'rows that are switched on',
      {
        params: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2', disabled: true },
        ],
        headers: [{ name: 'X-Row', value: 'yes' }],
      },
      { url: '/in?a=1', x: 'yes' },
    ],
    [
      'basic',
      { auth: { type: 'basic', username: 'u', password: 'p' } },
      { auth: `Basic ${btoa('u:p')}` },
    ],
    ['bearer', { auth: { type: 'bearer', token: 't' } }, { auth: 'Bearer t' }],
    [
      'a raw body',
      {
        method: 'POST',
        body: { type: 'raw', mode: 'raw', contentType: 'application/json', raw: '{"a":1}' },
      },
      { method: 'POST', body: '{"a":1}', type: 'application/json' },
    ],
    [
      'a form',
      {
        method: 'PUT',
        body: {
          contentType: 'application/x-www-form-urlencoded',
          fields: [
            { name: 'a', value: 'x y' },
            { name: 'b', value: '2' },
          ],
        },
      },
      { method: 'PUT', body: 'a=x+y&b=2', type: 'application/x-www-form-urlencoded' },
    ],
    [
      'fields as JSON',
      {
        method: 'POST',
        body: {
          type: 'fields',
          contentType: 'application/json',
          fields: [{ name: 'a', value: '1' }],
        },
      },
      { body: '{"a":"1"}', type: 'application/json' },
    ],
  ])('%s', async ([, request, sent]) => {
    const response = await execute({ url: `${base}/in`, ...request });
    expect(response).toEqual({ ok: true });
    expect(got.at(-1)).toMatchObject(sent);
  });

  test('what was answered has the parts of the response beside its keys', async () => {
    const parts = await execute(
      { url: base },
      `const response = await this.req.execute(); const { data, status, headers } = response;
      return [Object.keys(response), data, status, headers['content-type']];`,
    );
    expect(parts).toEqual([['ok'], { ok: true }, 200, 'application/json; charset=utf-8']);
  });

  test('a source gets the response', async () => {
    const code = `export default { props: { req: 'http_request' },
      async run() { const { status, data } = await this.req.execute(); this.$emit({ status, data }); } }`;
    const source = await runtime.restData<{ id: string }>('POST', '/v1/sources', {
      component_code: code,
      name: 'asks',
      configured_props: { req: { url: base } },
    });
    const run = await runtime.weir('invoke', source.id, '--json');
    expect(run.json()).toMatchObject({
      emitted: [{ event: { status: 200, data: { ok: true } } }],
    });
  });

  test('its fields are readable and may be changed; execute is no field', async () => {
    const changed = await execute(
      { url: `${base}/in`, method: 'GET' },
      `
      const fields = Object.keys(this.req); this.req.url += '/more';
      const { status } = await this.req.execute(); return [fields, status];`,
    );
    expect(changed).toEqual([['url', 'method'], 200]);
    expect(got.at(-1)).toMatchObject({ url: '/in/more' });
  });

  test('a refusal rejects with the response; what only the platform has is named', async () => {
    expect(
      await execute(
        { url: `${base}/fail` },
        `
      try { await this.req.execute(); } catch (error) { return [error.message, error.response.status, error.response.data]; }`,
      ),
    ).toEqual(['Request failed with status code 418', 418, { ok: true }]);
    // As the builder of the platform writes it where nothing was chosen.
    const http = { id: 'app_1', nameSlug: 'http', authType: null };
    await execute({ url: base, auth: { type: 'integrated_auth', token: '', app: http } });
    await expect(execute({ url: base, auth: { type: 'integrated_auth' } })).rejects.toThrow(
      'exists on the platform only',
    );
    await expect(execute({ url: 'no url' })).rejects.toThrow('no absolute URL: no url');
  });
});

test('pickers, sql, any, object and number hand on what was configured; an alert has no value', async () => {
  const configured = {
    channel: '42',
    sql: { app: 'pg', query: 'select 1', params: [] },
    any: [1],
    object: { a: 1 },
    number: 1.5,
  };
  const value = await run(
    `channel: '$.discord.channel', sql: 'sql', any: 'any', object: 'object', number: 'number', note: { type: 'alert', content: 'x' }, odd: { type: 'nobody.knows', optional: true }`,
    'return { ...this };',
    configured,
  );
  expect(value).toEqual(configured);
});

test('an app hook is fed by hand, and gives the component nothing', async () => {
  const source = await runtime.restData<Source>('POST', '/v1/sources', {
    component_code: `export default { props: { slack: { type: 'app', app: 'slack' },
        hook: { type: '$.interface.apphook', appProp: 'slack', eventNames: ['message'] } },
      run(event) { this.$emit({ event, keys: Object.keys(this) }); } }`,
  });
  const { emitted } = await runtime.restData<Result<'sources.invoke'>>(
    'POST',
    `/v1/sources/${source.id}/invocations`,
    { event: { type: 'message', text: 'hi' } },
  );
  expect(emitted.map(({ event }) => event)).toEqual([
    { event: { type: 'message', text: 'hi' }, keys: ['slack'] },
  ]);
});
