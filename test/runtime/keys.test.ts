/** Named keys over the wire: each operation, stream and connection asks for the scope that it needs. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
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

/** A request whose body is sent in two pieces. */
function slowRequest(key: string, path: string, body: string, split = 10) {
  const { hostname, port } = new URL(runtime.url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  let answer = '';
  socket.on('data', (piece) => (answer += String(piece)));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'accept: application/json, text/event-stream',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body.slice(0, split),
    ].join('\r\n'),
  );
  return { closed, rest: () => socket.write(body.slice(split)) };
}

test.each([
  ['/v1/keys', { name: 'back-door', scope: 'admin' }],
  ['/v1/webhooks', { url: 'http://127.0.0.1:9/back-door' }],
  ['/v1/workflows', { workflow_path: '/nowhere' }],
  [
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'late', version: '1' },
      },
    },
  ],
])('P26.3: a key that is removed while a body comes does nothing: POST %s', async (path, body) => {
  const key = await makeKey('slow', 'admin');
  const webhooks = await runtime.restData<unknown[]>('GET', '/v1/webhooks');
  const request = slowRequest(key, path, JSON.stringify(body));
  // Its head has been read by now: the answer to a later request is here.
  expect((await ask(key, '/v1/users/me')).status).toBe(200);
  expect((await runtime.weir('keys', 'remove', 'slow')).code).toBe(0);
  request.rest();
  const answer = await request.closed;
  expect(answer).toContain('401 Unauthorized');
  expect(answer).toContain('The key \\"slow\\" was removed.');
  const keys = await runtime.weirJson<{ name: string }[]>('keys', 'list');
  expect(JSON.stringify(keys)).not.toContain('back-door');
  expect(await runtime.restData<unknown[]>('GET', '/v1/webhooks')).toEqual(webhooks);
});

test('P26.3: an action that its caller waits for ends with the key, and is refused', async () => {
  const begun = await runtime.file('begun.txt', '');
  const file = await runtime.file(
    'long.mjs',
    `import { appendFileSync } from 'node:fs';
    export default { name: 'Long', key: 'long', version: '0.0.1', type: 'action',
      async run() {
        appendFileSync(${JSON.stringify(begun)}, 'begun ');
        await new Promise((resolve) => setTimeout(resolve, 30_000));
        appendFileSync(${JSON.stringify(begun)}, 'ended ');
      } }`,
  );
  const key = await makeKey('waiter', 'deploy');
  const answer = ask(key, '/v1/actions/run', 'POST', { component_path: file });
  await until('it runs', () => readFileSync(begun, 'utf8') === 'begun ');
  const from = performance.now();
  expect((await runtime.weir('keys', 'remove', 'waiter')).code).toBe(0);
  expect((await answer).status).toBe(401);
  expect(performance.now() - from).toBeLessThan(20_000);
  const runs = await runtime.restData<{ status: string }[]>('GET', '/v1/action_runs');
  await until('its end', async () => {
    const [run] = await runtime.restData<{ status: string }[]>('GET', '/v1/action_runs');
    return run?.status !== 'running';
  });
  expect(runs).toHaveLength(1);
  expect(readFileSync(begun, 'utf8')).toBe('begun ');
});

test('P26.3: what comes over a socket that is being closed is not done', async () => {
  const key = await makeKey('talker', 'admin');
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${runtime.url.replace('http', 'ws')}/rpc`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await once(socket, 'message');
  const gone = once(socket, 'close');
  const removed = runtime.weir('keys', 'remove', 'talker');
  let n = 0;
  const talk = setInterval(() => {
    const params = { params: { name: `late-${n}`, scope: 'admin' } };
    if (socket.readyState === socket.OPEN)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: n++, method: 'keys.add', params }));
  }, 10);
  const { code } = await removed;
  const [listedFirst, closed] = [await runtime.weirJson<unknown>('keys', 'list'), await gone];
  clearInterval(talk);
  expect(code).toBe(0);
  expect(String(closed[1])).toContain('was removed');
  // What came before the removal may stand; nothing came after it.
  expect(await runtime.weirJson<unknown>('keys', 'list')).toEqual(listedFirst);
});

test('whoever removes its own key has the answer', async () => {
  const key = await makeKey('quitter', 'admin');
  expect((await ask(key, '/v1/keys/quitter', 'DELETE')).status).toBe(200);
  expect((await ask(key, '/v1/keys')).status).toBe(401);
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
