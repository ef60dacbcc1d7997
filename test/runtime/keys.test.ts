/** Named keys over the wire: each operation, stream and connection asks for the scope that it needs. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client/connection.ts';
import type { OperationName } from '../../src/protocol/catalogue.ts';
import { catalogue } from '../../src/protocol/schemas/catalogue.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime, useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

async function makeKey(name: string, scope: string): Promise<string> {
  const made = await runtime.weirJson<{ key: string }>('keys', 'add', name, '--scope', scope);
  return made.key;
}

function ask(key: string, path: string, method = 'GET', body?: unknown): Promise<Response> {
  return fetch(new URL(path, runtime.url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe('a scope', () => {
  const operations = Object.keys(catalogue) as OperationName[];

  /** Without params: who may call is told what is missing in them, or is answered. */
  const refusedTo = async (key: string): Promise<string[]> => {
    const client = await connect({ ...runtime, apiKey: key });
    const refused: string[] = [];
    for (const name of operations) {
      // These would do something without params.
      if (key === admin && ['runtime.stop', 'db.copy'].includes(name)) continue;
      await client.call(name, { expects: 'nothing' } as never).catch((error: unknown) => {
        if ((error as { code: string }).code === 'forbidden') refused.push(name);
      });
    }
    client.close();
    return refused;
  };
  const needing = (...scopes: readonly string[]): string[] =>
    operations.filter((name) => scopes.includes(String(catalogue[name].scope)));
  let admin = '';

  test('decides over every operation, over RPC', async () => {
    expect(needing('deploy').length).toBeGreaterThan(40);
    expect(needing('admin')).toContain('keys.add');
    expect(await refusedTo(await makeKey('reader', 'read'))).toEqual(needing('deploy', 'admin'));
    expect(await refusedTo(await makeKey('deployer', 'deploy'))).toEqual(needing('admin'));
    admin = await makeKey('boss', 'admin');
    expect(await refusedTo(admin)).toEqual([]);
  });

  test('is said in one sentence, with 403, over REST', async () => {
    const key = await makeKey('looker', 'read');
    expect((await ask(key, '/v1/sources')).status).toBe(200);
    const refused = await ask(key, '/v1/sources', 'POST', {});
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      code: 'forbidden',
      error:
        'sources.deploy needs a key with the scope "deploy", and the key "looker" has "read": ask whoever runs this server for another one.',
    });
  });

  test('may depend on what is asked for: credentials are for admins', async () => {
    const { id } = await runtime.restData<{ id: string }>('POST', '/v1/accounts', {
      app: 'shop',
      credentials: { api_key: 'sesame' },
    });
    const key = await makeKey('clerk', 'deploy');
    expect((await ask(key, `/v1/accounts/${id}`)).status).toBe(200);
    const refused = await ask(key, `/v1/accounts/${id}?include_credentials=true`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).not.toContain('sesame');
  });
});

test('a key that is removed closes what it opened', async () => {
  const file = await runtime.file(
    'inbox.mjs',
    `export default { name: 'Inbox', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body) } }`,
  );
  await runtime.weirJson('deploy', file);
  const key = await makeKey('leaver', 'read');
  const keeper = await makeKey('stayer', 'read');
  const stream = await ask(key, '/v1/sources/inbox/sse');
  expect(stream.status).toBe(200);
  const left = await connect({ ...runtime, apiKey: key });
  const stays = await connect({ ...runtime, apiKey: keeper });
  const changes: unknown[] = [];
  stays.onChanges((batch) => changes.push(...batch));
  expect((await runtime.weir('keys', 'remove', 'leaver')).code).toBe(0);
  expect(await stream.text()).toContain('The key \\"leaver\\" was removed.');
  expect(await until('its end', () => left.closed)).toContain('was removed');
  expect((await ask(key, '/v1/sources')).status).toBe(401);
  expect(stays.closed).toBeUndefined();
  await runtime.rest('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/' });
  await until('a change for who stays', () => changes.length > 0);
  stays.close();
});

test('the command makes and lists keys where no runtime runs, too', async () => {
  const folder = temporaryFolder();
  const options = { configFolder: join(folder, 'config') };
  const weir = (...args: string[]) => runCli([...args, '--data', join(folder, 'data')], options);
  const added = await weir('keys', 'add', 'ada', '--scope', 'read', '--json');
  expect(added).toMatchObject({ code: 0 });
  const { key } = added.json() as { key: string };
  const again = await weir('keys', 'add', 'ada', '--scope', 'read');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('There is a key "ada" already');
  expect((await weir('keys', 'add', 'bob', '--scope', 'all')).code).toBe(2);
  const listed = await weir('keys', 'list');
  expect(listed.stdout).toContain('ada');
  expect(listed.stdout).not.toContain(key);
  const server = await startRuntime({ folder });
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${server.url}/v1/users/me`, { headers })).status).toBe(200);
  expect((await weir('keys', 'list', '--json')).json()).toMatchObject([
    { name: 'ada', scope: 'read' },
  ]);
});
