import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page, Source } from '../../../src/protocol/catalogue.ts';
import { startReceiver } from '../../support/receiver.ts';
import { conformanceWorld, endpointOf, refusal } from './world.ts';

/** Hooks, names, and what a failed deploy leaves (P12, P21). */
const world = conformanceWorld();

test('P12.1 deploy: deploy, activate; update: deactivate (old), activate (new); delete: deactivate', async () => {
  const { url, received } = await startReceiver();
  const code = (version: string) => `
    const tell = (what) => fetch('${url}/' + what, { method: 'POST' });
    export default { name: 'Tells', props: { team: 'string' }, run() {}, hooks: {
      async deploy() { await tell('deploy-${version}-' + this.team); },
      async activate() { await tell('activate-${version}-' + this.team); },
      async deactivate() { await tell('deactivate-${version}-' + this.team); } } }`;
  const path = await world.file(code('v1'));
  const source = await world.runtime.restData<Source>('POST', '/v1/sources', {
    component_path: path,
    configured_props: { team: 'a' },
  });
  await writeFile(path, code('v2'));
  const put = (change: object) =>
    world.runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, change);
  await put({ component_path: path, configured_props: { team: 'b' } });
  await put({ active: false });
  await put({ active: true });
  await put({ name: 'Renamed' });
  await world.runtime.restData('DELETE', `/v1/sources/${source.id}`);
  expect(received.map((one) => one.path)).toEqual([
    '/deploy-v1-a',
    '/activate-v1-a',
    '/deactivate-v1-a',
    '/activate-v2-b',
    '/deactivate-v2-b',
    '/activate-v2-b',
    '/deactivate-v2-b',
  ]);
});

test('P11.14 hooks emit through the same dedupe as runs do', async () => {
  const source = await world.deploy(`export default {
    name: 'History', dedupe: 'unique', props: { db: '$.service.db' },
    methods: { poll(items) { for (const id of items) this.$emit(id, { id }); this.db.set('polled', true); } },
    hooks: { async deploy() { this.poll(['a', 'b']); } },
    run() { this.$emit(this.db.get('polled'), { id: 'db' }); this.poll(['a', 'b', 'c']); } }`);
  expect((await world.events(source)).map(({ event }) => event)).toEqual(['a', 'b']);
  expect(await world.emitted(source)).toEqual([true, 'c']);
});

test('P7.34 the endpoint is known in every hook and answers while activate runs', async () => {
  const source = await world.deploy(`export default {
    name: 'Verifies', props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
    hooks: {
      async deploy() { this.db.set('endpoint', this.http.endpoint); },
      async activate() {
        const response = await fetch(this.http.endpoint + '/ping?challenge=42');
        this.db.set('verified', [response.status, await response.text()]);
      } },
    run(event) {
      if (event.query?.challenge) this.http.respond({ status: 203, body: event.path + event.query.challenge });
      else this.$emit([this.db.get('endpoint'), this.http.endpoint, this.db.get('verified')]);
    } }`);
  const endpoint = endpointOf(source);
  expect(await world.emitted(source)).toEqual([[endpoint, endpoint, [203, '/ping42']]]);
});

test('P12.6 a hook that throws on the first deploy leaves nothing behind', async () => {
  const { url, received } = await startReceiver();
  const code = (hook: string) => `export default {
    name: 'Leaves nothing', props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } },
    hooks: { async ${hook}() {
      this.$emit('too early');
      await fetch('${url}', { method: 'POST', body: this.http.endpoint });
      throw new TypeError('no such team');
    } }, run() {} }`;
  const deployments = join(world.folder, 'data', 'deployments');
  const before = await readdir(deployments).catch(() => []);
  for (const hook of ['deploy', 'activate']) {
    const answer = refusal(await world.tryDeploy(code(hook)));
    expect(answer).toMatchObject({ status: 422, code: 'component_failed' });
    expect(answer.error).toContain(`The ${hook} hook of Leaves nothing failed: no such team.`);
  }
  const endpoints = received.map(({ body }) => body);
  expect(endpoints).toHaveLength(2);
  for (const endpoint of endpoints) expect((await fetch(endpoint)).status).toBe(404);
  expect((await world.runtime.rest('GET', '/v1/sources/leaves-nothing')).status).toBe(404);
  const { body } = await world.runtime.rest('GET', '/v1/sources?limit=100');
  expect((body as Page<Source>).data.map(({ name }) => name)).not.toContain('Leaves nothing');
  expect(await readdir(deployments)).toEqual(before);
  const source = await world.deploy(`export default { name: 'Leaves nothing', run() {} }`);
  expect(source.name_slug).toBe('leaves-nothing');
  expect(await world.events(source)).toEqual([]);
});

test('P12.8 a ConfigurationError of activate is its message, without a stack', async () => {
  const code = (throwing: string) => `
    class ConfigurationError extends Error { name = 'ConfigurationError'; }
    export default { name: 'Misconfigured', hooks: { activate() { throw ${throwing}; } }, run() {} }`;
  const answer = await world.tryDeploy(code(`new ConfigurationError('Choose a team first')`));
  expect(refusal(answer)).toMatchObject({ status: 422, code: 'component_failed' });
  const text = JSON.stringify(answer.body);
  expect(text).toContain('Choose a team first');
  expect(text).not.toMatch(/\bat .*component/);
  // The stack of any other error tells its author where it was thrown.
  const other = await world.tryDeploy(code(`new Error('A slip')`));
  expect(JSON.stringify(other.body)).toMatch(/\bat .*component/);
});

test('P21.3 the second "My Source" is my-source-1; an update re-slugs nobody', async () => {
  const code = `export default { name: 'My Source!', run() {} }`;
  const path = await world.file(code);
  const deploy = () =>
    world.runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const [first, second, third] = [await deploy(), await deploy(), await deploy()];
  const slugs = [first, second, third].map(({ name_slug }) => name_slug);
  expect(slugs).toEqual(['my-source', 'my-source-1', 'my-source-2']);
  await world.runtime.restData('DELETE', '/v1/sources/my-source-1');
  await writeFile(path, code.replace('{}', '{ this.$emit(2); }'));
  await world.runtime.restData('PUT', '/v1/sources/my-source', { component_path: path });
  await world.runtime.restData('PUT', '/v1/sources/my-source', { name: 'My Source!' });
  const slugOf = async ({ id }: Source) =>
    (await world.runtime.restData<Source>('GET', `/v1/sources/${id}`)).name_slug;
  expect([await slugOf(first), await slugOf(third)]).toEqual(['my-source', 'my-source-2']);
});
