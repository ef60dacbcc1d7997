/** Who may name a place that no registry is configured for: every door, every spelling (P26.12). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/client/connection.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gitRepository, type TestRepository } from '../../support/git.ts';
import { conformanceWorld } from '../conformance/world.ts';

const world = conformanceWorld();
const atEnd = atEndOfSuite();
const keys: Record<string, string> = {};
let given: TestRepository;
let hidden: TestRepository;
/** Requests to a port of this machine that nobody should make for a stranger. */
const asked: string[] = [];
let port = 0;

const action = (key: string) =>
  `export default { key: '${key}', name: 'Secret', version: '0.1.0', type: 'action', run() { return 'token-4711'; } };`;

beforeAll(async () => {
  given = await gitRepository(temporaryFolder(atEnd), 'given');
  await given.commit({ 'components/acme/actions/do-it/do-it.mjs': action('acme-do-it') });
  hidden = await gitRepository(temporaryFolder(atEnd), 'hidden');
  await hidden.commit({ 'action.mjs': action('hidden-do-it') });
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => void server.close());
  ({ port } = server.address() as AddressInfo);
  await world.runtime.weirJson('registry', 'add', given.url);
  for (const scope of ['read', 'deploy', 'admin']) {
    const made = await world.runtime.weirJson<{ key: string }>(
      'keys',
      'add',
      scope,
      '--scope',
      scope,
    );
    keys[scope] = made.key;
  }
});

const places = (): string[] => [
  `git:${hidden.url}#:action.mjs`,
  `git:${hidden.url.replace('file:', 'FILE:')}#:action.mjs`,
  `git:http://127.0.0.1:${port}/x#:a.mjs`,
  `http://127.0.0.1:${port}/acme/x/blob/main/a.mjs`,
  `git:ssh://127.0.0.1:${port}/x#:a.mjs`,
  `git:git@127.0.0.1:x#:a.mjs`,
  `git:git://127.0.0.1:${port}/x#:a.mjs`,
];

const rest = async (key: string, method: string, path: string, body?: object) => {
  const answer = await fetch(new URL(path, world.runtime.url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, code: (JSON.parse(text) as { code?: string }).code };
};

test('with "read" only components of configured registries are looked at, over REST and RPC', async () => {
  const read = keys['read']!;
  const known = `git:${given.url}#:components/acme/actions/do-it/do-it.mjs`;
  for (const reference of ['acme-do-it', known]) {
    const found = await rest(
      read,
      'GET',
      `/v1/components/registry/${encodeURIComponent(reference)}`,
    );
    expect(found.status).toBe(200);
  }
  const client = await connect({ ...world.runtime, apiKey: read });
  const others = [
    'https://127.0.0.1:1/acme/x/blob/main/a.mjs',
    'github:acme/x/a.mjs',
    'npm:left-pad#x',
  ];
  for (const reference of [...places(), ...others]) {
    const path = `/v1/components/registry/${encodeURIComponent(reference)}`;
    const answer = await rest(read, 'GET', path);
    expect([reference, answer.status, answer.code]).toEqual([reference, 403, 'forbidden']);
    expect(answer.text).not.toContain('token-4711');
    await expect(client.call('components.registry', { key: reference })).rejects.toMatchObject({
      code: 'forbidden',
    });
  }
  client.close();
  expect(asked).toEqual([]);
});

test('with a key for the network no files, SSH keys or plain HTTP of the server are used', async () => {
  for (const scope of ['deploy', 'admin']) {
    const key = keys[scope]!;
    for (const reference of places()) {
      const looked = await rest(
        key,
        'GET',
        `/v1/components/registry/${encodeURIComponent(reference)}`,
      );
      const added = await rest(key, 'POST', '/v1/components/registry', { reference });
      const deployed = await rest(key, 'POST', '/v1/sources', { component_url: reference });
      const run = await rest(key, 'POST', '/v1/actions/run', { component_url: reference });
      const form = await rest(key, 'POST', '/v1/components/props', { component_url: reference });
      const codes = [looked, added, deployed, run].map(({ code }) => code);
      expect([reference, ...codes]).toEqual([reference, ...codes.map(() => 'forbidden')]);
      expect(form.status).not.toBe(200);
      const all = await rest(key, 'POST', '/v1/components/registry/all', {
        references: [reference],
      });
      expect(all.text).toContain('https:// URL');
    }
    for (const git of [hidden.url, hidden.bare, `http://127.0.0.1:${port}/x`, 'git@127.0.0.1:x']) {
      const imported = await rest(key, 'POST', '/v1/imports', {
        git,
        to: join(world.folder, 'in'),
      });
      expect([git, imported.code]).toEqual([git, 'forbidden']);
    }
    const folder = temporaryFolder(atEnd);
    const steps = [{ namespace: 'a', uses: `git:http://127.0.0.1:${port}/x#:a.mjs` }];
    const workflow = { schema: 'workflow/2022.04', name: 'ad hoc', steps };
    await writeFile(join(folder, 'workflow.yaml'), JSON.stringify(workflow));
    const deployed = await rest(key, 'POST', '/v1/workflows', { workflow_path: folder });
    expect(deployed.text).toContain('https:// URL');
  }
  expect(asked).toEqual([]);
});

test('with a key for the network a place behind https:// may be named', async () => {
  const reference = 'git:https://127.0.0.1:1/x#:a.mjs';
  const path = `/v1/components/registry/${encodeURIComponent(reference)}`;
  expect(await rest(keys['deploy']!, 'GET', path)).toMatchObject({ code: 'registry_failed' });
});

test('the owner names any place', async () => {
  const info = await world.runtime.weirJson('info', `git:${hidden.url}#:action.mjs`);
  expect(info).toMatchObject({ key: 'hidden-do-it' });
});
