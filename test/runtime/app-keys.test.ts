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

test('an app without credentials needs no account: deploy, run, and an account of no fields', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'schedule.app.mjs'),
    `export default { type: 'app', app: 'schedule', propDefinitions: {},
      // this.$auth contains connected account data
      methods: { authKeys() { console.log(Object.keys(this.$auth)); } } };`,
  );
  const source = join(folder, 'daily.mjs');
  writeFileSync(
    source,
    `import schedule from './schedule.app.mjs';
     export default { name: 'Daily', props: { schedule, http: '$.interface.http' }, run() {} };`,
  );
  const action = join(folder, 'now.mjs');
  writeFileSync(
    action,
    `import schedule from './schedule.app.mjs';
     export default { key: 'schedule-now', name: 'Now', version: '0.0.1', type: 'action', props: { schedule },
       run() { return JSON.stringify(this.schedule.$auth); } };`,
  );
  const plain = join(folder, 'plain.mjs');
  writeFileSync(
    plain,
    `import schedule from './schedule.app.mjs';
     export default { key: 'schedule-plain', name: 'Plain', version: '0.0.1', type: 'action', props: { schedule }, run() { return 1; } };`,
  );
  const runtime = await startRuntime({ folder });
  expect(await runtime.weir('deploy', source)).toMatchObject({ code: 0, stderr: '' });
  expect(await runtime.weir('run', plain)).toMatchObject({ code: 0, stderr: '' });
  const added = await runtime.weir('accounts', 'add', 'schedule', '--component', plain);
  expect(added).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('run without an account'),
  });
  expect((await runtime.weir('apps', 'schedule')).stdout).toContain('needs no account');
  await runtime.weir('accounts', 'add', 'schedule', '--field', 'x=1');
  // Nothing has to be chosen where there are several.
  expect(await runtime.weir('run', plain)).toMatchObject({ code: 0 });

  // This one does read it; so it needs an account, or a word that it has none.
  expect(await runtime.weir('run', action)).toMatchObject({ code: 2 });
  const without = await runtime.weir('run', action, '--prop', 'schedule=null');
  expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining('{}') });
});
