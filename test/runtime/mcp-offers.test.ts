/** Actions as tools over both transports, as the user offers them, and what the user allows. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { AgentCall, KeptActionRun } from '../../src/protocol/catalogue.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { useRuntime } from '../support/runtime.ts';
import { agentIn, connectedOverHttp } from './support/agent.ts';

const runtime = useRuntime();

const action = (key: string, version = '0.0.1') => `export default {
  name: '${key}', key: '${key}', type: 'action', version: '${version}',
  props: { shop: { type: 'app', app: 'shop', optional: true }, who: 'string' },
  run({ $ }) { $.export('$summary', 'did'); return this.who + ' of ' + this.shop?.$auth?.api_key; } };`;

async function overHttp() {
  const agent = await connectedOverHttp(runtime.url, runtime.apiKey);
  let told = 0;
  agent.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
  const names = async () => (await agent.client.listTools()).tools.map(({ name }) => name);
  return { ...agent, names, told: () => told };
}

test('what the user offers is a tool over HTTP and over stdio, dry until the user says otherwise', async () => {
  const file = await runtime.file('wave.mjs', action('shop-wave'));
  const agent = await overHttp();
  expect(await agent.names()).not.toContain('shop-wave');
  expect(await agent.names()).not.toContain('configure_action');
  const offered = await runtime.weir('agents', 'offer', file);
  expect([offered.code, offered.stdout]).toEqual([0, expect.stringMatching(/shop-wave +dry/)]);
  await until('the client to be told', () => agent.told() > 0);
  expect(await agent.names()).toEqual(
    expect.arrayContaining(['deploy_source', 'shop-wave', 'configure_action']),
  );
  const dry = await agent.ask('shop-wave', { who: 'Ada' });
  expect(dry.data).toMatchObject({ dry_run: true });

  await runtime.weir('agents', 'offer', file, '--live', 'shop-wave');
  const before = agent.told();
  const ran = await agent.ask('shop-wave', { who: 'Ada' });
  expect(ran).toMatchObject({ from: { operation: 'actions.run', untrusted: true } });
  const [kept] = await runtime.weirJson<KeptActionRun[]>('action-runs');
  expect(kept).toMatchObject({ key: 'shop-wave', agent: 'test-agent 1.0.0' });
  expect(ran.from.uri).toBe(`weir://action-runs/${kept?.id}`);
  expect(await agent.ask('read', { uri: ran.from.uri })).toMatchObject({ data: { pointer: '' } });

  const other = await agentIn(runtime.folder);
  const { tools } = await other.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('shop-wave');
  expect(await other.ask('shop-wave', { who: 'Bob' })).toMatchObject({
    data: { return_value: 'Bob of undefined' },
  });
  await writeFile(file, action('shop-greet'));
  await until('the file to be another tool', () => agent.told() > before);
  await until('its name', async () => (await agent.names()).includes('shop-greet'));
  await runtime.weir('agents', 'withdraw', file);
  await until('nothing to be offered', async () => !(await agent.names()).includes('shop-greet'));
});

test('what is offered before any runtime runs is a tool of the agent that comes first', async () => {
  const folder = temporaryFolder();
  const file = await sourceFile(folder, 'wave.mjs', action('shop-early'));
  const first = await agentIn(folder);
  const offered = await first.weir('agents', 'offer', file);
  expect([offered.code, offered.stderr]).toEqual([0, '']);
  expect(existsSync(join(folder, 'data', 'runtime.json'))).toBe(false);
  const { tools } = await first.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('shop-early');
});

test('a slip of the keyboard offers nothing, and says what there is', async () => {
  const file = await runtime.file('slip.mjs', action('shop-slip'));
  const wrong = await runtime.weir('agents', 'offer', file, '--live', 'shop-slap');
  expect([wrong.code, wrong.stderr]).toEqual([
    expect.not.stringMatching(/^0$/),
    expect.stringContaining('No action "shop-slap" is offered'),
  ]);
  const half = await runtime.weir('agents', 'offer', file, 'nosuch-app');
  expect(half.stderr).toContain('"nosuch-app" is not a file');
  const folder = temporaryFolder();
  await mkdir(join(folder, 'slip'));
  const inFolder = await sourceFile(join(folder, 'slip'), 'slip.mjs', action('shop-slip'));
  const twice = await runtime.weir('agents', 'offer', inFolder, folder);
  expect(twice.stderr).toContain('has no action that the others do not have: leave it out.');
  const account = await runtime.weir('agents', 'offer', file, '--account', 'shop=apn_nosuch');
  expect(account.stderr).toContain('apn_nosuch');
  expect(await runtime.weirJson('agents', 'list')).toMatchObject({ offers: [] });
  const none = await runtime.weir('agents', 'withdraw', 'nothing');
  expect(none.stderr).toContain('"nothing" is not offered to agents');
});

test('an action runs for real by its name, whatever else is offered with it', async () => {
  const files = [
    await runtime.file('one.mjs', action('shop-one')),
    await runtime.file('two.mjs', action('shop-two')),
  ];
  const offered = await runtime.weir('agents', 'offer', ...files, '--live', 'shop-two', '--json');
  expect([offered.code, offered.stderr]).toEqual([0, '']);
  expect(JSON.parse(offered.stdout)).toMatchObject({
    offers: [{ live: [] }, { live: ['shop-two'] }],
    problems: [],
  });
  await runtime.weir('agents', 'withdraw', ...files);
});

test('what is published later is offered then, and taken away when it is unpublished', async () => {
  const agent = await overHttp();
  await runtime.rest('PUT', '/v1/agents/offers', { what: 'shop-later', accounts: {}, live: [] });
  expect(await agent.names()).not.toContain('shop-later');
  const before = agent.told();
  const file = await runtime.file('later.mjs', action('shop-later'));
  await runtime.weir('publish', file);
  await until('the client to be told', () => agent.told() > before);
  expect(await agent.names()).toContain('shop-later');
  await runtime.weir('unpublish', 'component', 'shop-later');
  await until('it to be gone', async () => !(await agent.names()).includes('shop-later'));
  await runtime.weir('agents', 'withdraw', 'shop-later');
});

test('the rules of the user hold over both transports: tools, accounts and calls in a minute', async () => {
  const add = async (name: string) =>
    (
      await runtime.weirJson<{ id: string }>(
        'accounts',
        'add',
        'shop',
        '--name',
        name,
        '--field',
        `api_key=MARKER-${name}`,
      )
    ).id;
  const [mine, other] = [await add('mine'), await add('other')];
  const file = await runtime.file('guard.mjs', action('shop-guard'));
  await runtime.weir('agents', 'offer', file, '--live', 'shop-guard');
  const http = await overHttp();
  const stdio = await agentIn(runtime.folder);
  await runtime.weir('agents', 'rules', '--accounts', mine);
  for (const { ask, refusal, client } of [http, stdio]) {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('test_workflow');
    const ran = await ask<{ return_value: string }>('shop-guard', { who: 'Ada' });
    expect(ran.data.return_value).toBe(`Ada of [${mine}.api_key]`);
    const run = { component_path: file, configured_props: { who: 'Ada' } };
    expect(await ask('run_action', run)).toMatchObject({
      data: { return_value: 'Ada of undefined' },
    });
    const named = { who: 'Ada', shop: { authProvisionId: other } };
    expect(await refusal('run_action', { ...run, configured_props: named })).toContain(
      `has not allowed the account ${other}`,
    );
    expect(await refusal('run_action', { component_code: action('x') })).toContain(
      'component_path',
    );
  }
  await runtime.weir('agents', 'rules', '--tools', 'list,shop-guard');
  expect(await http.names()).toEqual(['list', 'shop-guard', 'configure_action']);
  for (const { refusal, client } of [http, stdio]) {
    expect(await refusal('describe', { id: 'x' })).toMatch(/not allowed here/);
    await expect(client.readResource({ uri: 'weir://sources/x' })).rejects.toThrow(/not allowed/);
    for (const asked of [
      client.listResources(),
      client.listResourceTemplates(),
      client.subscribeResource({ uri: 'weir://sources/x' }),
    ])
      await expect(asked).rejects.toThrow(/not allowed here/);
  }
  await runtime.weir('agents', 'rules', '--per-minute', '1');
  for (const { refusal } of [http, stdio]) {
    expect(await refusal('list', { what: 'sources' })).toMatch(/^More than 1 calls in a minute/);
  }
  const { data } = await runtime.restData<{ data: AgentCall[] }>('GET', '/v1/agents/calls?limit=2');
  expect(data).toMatchObject([
    { tool: 'list', outcome: 'refused' },
    { tool: 'list', outcome: 'refused' },
  ]);
  expect(JSON.stringify([http.seen(), stdio.seen()])).not.toContain('MARKER');
  await runtime.weir(
    'agents',
    'rules',
    '--tools',
    'all',
    '--accounts',
    'all',
    '--per-minute',
    '120',
  );
});

test('P23.6: the accounts of the rules hold in whatever form another one is named', async () => {
  const add = (name: string) =>
    runtime.weirJson<{ id: string }>(
      'accounts',
      'add',
      'guarded',
      '--name',
      name,
      '--field',
      'k=v',
    );
  const [{ id: mine }, { id: other }] = [await add('allowed'), await add('refused')];
  const app = `{ type: 'app', app: 'guarded', optional: true`;
  const component = (name: string, rest: string) =>
    runtime.file(
      `${name}.mjs`,
      `export default { name: '${name}', key: '${name}', version: '0.0.1', ${rest} };`,
    );
  const more = await component(
    'more',
    `type: 'action', props: { acme: ${app} }, pick: { type: 'string', optional: true, options() { return [] } } },
     additionalProps() { return { added: ${app} } } }, run() { return this.acme?.$auth?.k }`,
  );
  const byDefault = await component(
    'by-default',
    `type: 'action', props: { acme: { type: 'app', app: 'guarded', default: '${other}' } }, run() {}`,
  );
  const source = await component('guarded-source', `props: { acme: ${app} } }, run() {}`);
  const deployed = await runtime.restData<{ id: string }>('POST', '/v1/sources', {
    component_path: source,
  });
  const { ask, refusal } = await overHttp();
  await runtime.weir('agents', 'rules', '--accounts', mine);
  const refused = `has not allowed the account ${other}`;
  try {
    for (const acme of [
      other,
      { authProvisionId: other },
      { __lv: { label: 'Other', value: other } },
      { __lv: { label: 'Other', value: { authProvisionId: other } } },
    ]) {
      for (const [tool, args] of [
        ['run_action', { component_path: more, configured_props: { acme } }],
        ['run_action', { component_path: more, configured_props: { added: acme } }],
        ['configure_component', { component_path: more, configured_props: { acme } }],
        [
          'configure_component',
          { component_path: more, prop_name: 'pick', configured_props: { acme } },
        ],
        ['deploy_source', { component_path: source, configured_props: { acme } }],
        ['update_source', { id: deployed.id, configured_props: { acme } }],
        ['update_source', { id: deployed.id, component_path: source, configured_props: { acme } }],
      ] as const) {
        expect(await refusal(tool, args), `${tool} ${JSON.stringify(args)}`).toContain(refused);
      }
    }
    expect(await refusal('run_action', { component_path: byDefault })).toContain(refused);
    for (const acme of [mine, { __lv: { label: 'Mine', value: mine } }]) {
      expect(
        await ask('run_action', { component_path: more, configured_props: { acme } }),
      ).toMatchObject({ data: { return_value: 'v' } });
    }
  } finally {
    await runtime.weir('agents', 'rules', '--accounts', 'all');
  }
}, 240_000);

test('a key that may only read has no actions, and one that may deploy changes no rules', async () => {
  const file = await runtime.file('reads.mjs', action('shop-reads'));
  await runtime.weir('agents', 'offer', file);
  const key = async (name: string, scope: string) =>
    (await runtime.weirJson<{ key: string }>('keys', 'add', name, '--scope', scope)).key;
  const reader = await connectedOverHttp(runtime.url, await key('reader', 'read'));
  const { tools } = await reader.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('shop-reads');
  const answer = await fetch(new URL('/v1/agents/rules', runtime.url), {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${await key('deployer', 'deploy')}`,
      'content-type': 'application/json',
    },
    body: '{"per_minute": 100000}',
  });
  expect(answer.status).toBe(403);
});
