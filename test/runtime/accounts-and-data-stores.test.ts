/** Accounts and data stores as a person reads and changes them, and what components see of it (P14.10, P23.5). */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account, DataStore, Page, Source } from '../../src/protocol/catalogue.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { post } from '../support/post.ts';
import { useRuntime } from '../support/runtime.ts';

const runtime = useRuntime();

test('the next run reads the credentials that were changed, and none of an account that is gone', async () => {
  const credentials = { api_key: 'old-secret', region: 'eu', dropped: 'x' };
  const account = await runtime.restData<Account>('POST', '/v1/accounts', {
    app: 'acme',
    credentials,
  });
  const path = await runtime.file(
    'calls.mjs',
    `export default {
      name: 'Calls', props: { acme: { type: 'app', app: 'acme' }, http: { type: '$.interface.http', customResponse: true } },
      run() { this.http.respond({ status: 200, body: { pid: process.pid, auth: this.acme.$auth } }); },
    }`,
  );
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const run = async () => (await post(source.endpoint_url!, {})).json();
  const { pid } = (await run()) as { pid: number };
  const changed = await runtime.restData<Account>('PUT', `/v1/accounts/${account.id}`, {
    name: 'Production',
    credentials: { api_key: 'new-secret', dropped: null },
  });
  expect(changed).toMatchObject({ id: account.id, name: 'Production' });
  expect(JSON.stringify(changed)).not.toContain('secret');
  expect(await run()).toEqual({ pid, auth: { api_key: 'new-secret', region: 'eu' } });
  const shown = await runtime.restData<Account>(
    'GET',
    '/v1/accounts/production?include_fields=true',
  );
  expect(shown.fields).toEqual(['api_key', 'region']);
  expect(JSON.stringify(shown)).not.toContain('secret');
  const renamed = await runtime.weir('accounts', 'update', 'production', '--name', 'Live');
  expect(renamed).toMatchObject({ code: 0, stdout: expect.stringContaining('Live') as string });
  await runtime.weir(
    'accounts',
    'update',
    'live',
    '--field',
    'api_key=third',
    '--remove-field',
    'region',
  );
  expect(await run()).toEqual({ pid, auth: { api_key: 'third' } });
  expect(await runtime.weir('accounts', 'update', 'live')).toMatchObject({ code: 2 });
  await runtime.restData('DELETE', `/v1/accounts/${account.id}`);
  expect(await run()).toEqual({ pid, auth: {} });
});

test('an account says which sources and workflows use it, switched off or not', async () => {
  const request = { app: 'acme', name: 'Used', credentials: { api_key: 'k' } };
  const account = await runtime.restData<Account>('POST', '/v1/accounts', request);
  const path = await runtime.file(
    'uses.mjs',
    `export default {
      name: 'Uses', props: { acme: { type: 'app', app: 'acme' }, http: '$.interface.http' },
      run() {},
    }`,
  );
  const configured = { acme: { authProvisionId: account.id } };
  const deploy = { component_path: path, configured_props: configured, name: 'Uses it' };
  const source = await runtime.restData<Source>('POST', '/v1/sources', deploy);
  await runtime.restData('PUT', `/v1/sources/${source.id}`, { active: false });
  mkdirSync(join(dirname(path), 'used'));
  await runtime.file(
    'used/workflow.yaml',
    `schema: workflow/2022.04
name: Used
triggers: [{ uses: '$.interface.http' }]
steps:
  - namespace: call
    uses: ./call.mjs
    props: { acme: { authProvisionId: ${account.id} } }
`,
  );
  const step = await runtime.file(
    'used/call.mjs',
    `export default { name: 'Call', version: '0.0.1', type: 'action',
      props: { acme: { type: 'app', app: 'acme' } }, run() {} }`,
  );
  const workflow = await runtime.restData<{ id: string }>('POST', '/v1/workflows', {
    workflow_path: dirname(step),
  });
  const shown = await runtime.restData<Account>(
    'GET',
    `/v1/accounts/${account.id}?include_used_by=true`,
  );
  expect(shown.used_by).toEqual([
    { type: 'source', id: source.id, name: 'Uses it', path },
    { type: 'workflow', id: workflow.id, name: 'Used', path: dirname(step) },
  ]);
  const said = await runtime.weir('accounts', 'show', 'used');
  expect(said.stdout).toContain(`Uses it (${source.id}), Used (${workflow.id})`);
  await runtime.restData('DELETE', `/v1/accounts/${account.id}`);
});

test('records are listed with when they expire, and written where they are as expected', async () => {
  const { id } = await runtime.restData<DataStore>('POST', '/v1/data_stores', { name: 'Seen' });
  const at = (key = '') => `/v1/data_stores/${id}/records${key === '' ? '' : `/${key}`}`;
  const before = Date.now();
  const kept = await runtime.restData<{ expires_at: number }>('PUT', at('a'), {
    value: { n: 1 },
    ttl: 60,
  });
  expect(kept.expires_at).toBeGreaterThanOrEqual(before + 60_000);
  await runtime.restData('PUT', at('b'), { value: null });
  // Its end stays unless another is given.
  expect(await runtime.restData('PUT', at('a'), { value: 2, expected: { n: 1 } })).toEqual({
    key: 'a',
    value: 2,
    expires_at: kept.expires_at,
  });
  expect(await runtime.rest('PUT', at('a'), { value: 3, expected: { n: 1 } })).toMatchObject({
    status: 409,
    body: {
      error: 'The key "a" of the data store Seen has another value than expected: read it again.',
    },
  });
  const first = (await runtime.rest('GET', `${at()}?limit=1`)).body as Page<unknown>;
  expect(first).toMatchObject({ page_info: { total_count: 2 }, data: [{ key: 'a', value: 2 }] });
  expect(
    await runtime.restData('GET', `${at()}?limit=1&after=${first.page_info.end_cursor}`),
  ).toEqual([{ key: 'b', value: null, expires_at: null }]);
  expect(await runtime.rest('GET', at('c'))).toMatchObject({ status: 404 });
  expect(await runtime.restData('PUT', at('a'), { value: 2, ttl: null })).toMatchObject({
    expires_at: null,
  });
  await runtime.restData('DELETE', at('a'));
  expect((await runtime.weir('data-stores', 'records', 'Seen')).stdout).toMatch(/^KEY.*\nb .*null/);
  await runtime.weir('data-stores', 'clear', id);
  expect(await runtime.restData('GET', at())).toEqual([]);
  expect(await runtime.weir('data-stores', 'set', 'Seen', 'k', '[1]', '--ttl', '60')).toMatchObject(
    { code: 0 },
  );
  expect((await runtime.weir('data-stores', 'get', 'Seen', 'k')).stdout).toBe('[\n  1\n]\n');
  await runtime.weir('data-stores', 'delete-key', 'Seen', 'k');
  expect((await runtime.weir('data-stores', 'records', 'Seen')).stdout).toBe(
    'The data store is empty.\n',
  );
  // A number below zero is a value and no option.
  expect(await runtime.weir('data-stores', 'set', 'Seen', 'k', '-1')).toMatchObject({ code: 0 });
  expect((await runtime.weir('data-stores', 'get', 'Seen', 'k')).stdout).toBe('-1\n');
  expect((await runtime.weir('list', 'data-stores')).stdout).toContain('Seen');
  await runtime.weir('data-stores', 'delete', 'Seen');
  expect((await runtime.weir('data-stores', 'list')).stdout).not.toContain('Seen');
});

test('whoever follows the changes hears of accounts and data stores, those that a component writes too', async () => {
  const connection = await runtime.connect();
  const heard: Change[] = [];
  connection.onChanges((batch) => heard.push(...batch));
  const types = () => [...new Set(heard.map(({ type }) => type))];
  const account = await connection.call('accounts.create', { app: 'acme', credentials: {} });
  await connection.call('accounts.delete', { id: account.id });
  const path = await runtime.file(
    'writes.mjs',
    `export default { name: 'Writes', type: 'action', props: { store: 'data_store' },
      async run() { await this.store.set('a', 1); } }`,
  );
  await connection.call('actions.run', {
    component_path: path,
    configured_props: { store: 'New' },
  });
  await expect.poll(types).toEqual(['account', 'account.deleted', 'action_run', 'data_store']);
  await connection.call('data_stores.delete', { id: 'New' });
  await expect.poll(types).toContain('data_store.deleted');
});
