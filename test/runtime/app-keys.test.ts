/** What components read of accounts: in the form of a component, in the list of apps, and on the command line. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { App } from '../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';

const appFile = `
export default {
  type: 'app', app: 'acme',
  methods: { call() { const { api_key: key } = this.$auth; return [key, this.$auth.domain]; } },
};`;
const action = `
import acme from './acme.app.mjs';
export default {
  key: 'acme-call', name: 'Call', version: '0.0.1', type: 'action',
  props: { acme, other: { type: 'app', app: 'other_app' } },
  run() { return [this.acme.call(), this.other.$auth.token]; },
};`;

function folderWithAction(): { folder: string; path: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'actions'));
  writeFileSync(join(folder, 'actions', 'acme.app.mjs'), appFile);
  const path = join(folder, 'actions', 'call.mjs');
  writeFileSync(path, action);
  return { folder, path };
}

test('app props of a component say what their accounts need, and so does the app from then on', async () => {
  const { folder, path } = folderWithAction();
  const runtime = await startRuntime({ folder });
  expect((await runtime.rest('GET', '/v1/apps/acme')).status).toBe(404);
  const client = await runtime.connect();
  const inspected = await client.call('components.inspect', { component_path: path });
  expect(inspected.configurable_props).toMatchObject([
    { name: 'acme', auth_keys: ['api_key', 'domain'] },
    { name: 'other', auth_keys: ['token'] },
  ]);
  const app = await runtime.restData<App>('GET', '/v1/apps/acme');
  expect(app).toMatchObject({ auth_type: 'keys', from: 'components' });
  expect(app.key_forms).toMatchObject([
    {
      name: null,
      fields: [
        { name: 'api_key', secret: true },
        { name: 'domain', secret: false },
      ],
    },
  ]);
  const slugs = async (query: string) =>
    (await runtime.restData<App[]>('GET', `/v1/apps?${query}`)).map(({ name_slug }) => name_slug);
  expect(await slugs('has_actions=1')).toEqual(['acme', 'other_app']);
  expect(await slugs('has_triggers=1')).toEqual([]);
  expect(await slugs('q=other')).toEqual(['other_app']);
  expect(await slugs('q=github')).toEqual(['github']);
});

test('the command line asks for what a component reads', async () => {
  const { folder, path } = folderWithAction();
  const runtime = await startRuntime({ folder });
  const nothing = await runtime.weir('accounts', 'add', 'acme');
  expect(nothing.stderr).toContain('--field NAME=VALUE.');
  const told = await runtime.weir('accounts', 'add', 'acme', '--component', path);
  expect(told.code).not.toBe(0);
  expect(told.stderr).toContain('--field NAME=VALUE: api_key, domain.');
  const shown = await runtime.weir('apps', 'acme');
  expect(shown.stdout).toMatch(/keys: +api_key, domain/);
  const listed = await runtime.weir('apps', '--used');
  expect(listed.stdout).toMatch(/acme .*keys +components/);
});
