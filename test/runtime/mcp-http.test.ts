/** `/mcp`: who is let in, what a key may do, sessions and their end. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { connectedOverHttp } from './support/agent.ts';

const runtime = useRuntime();

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bare', version: '1' },
  },
};

/** A request as it is: `fetch` sets Host and Origin itself. */
async function send(
  headers: Readonly<Record<string, string>>,
  body: string = JSON.stringify(initialize),
  method = 'POST',
) {
  const sent = request(new URL('/mcp', runtime.url), {
    method,
    headers: {
      authorization: `Bearer ${runtime.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

async function keyFor(scope: 'read' | 'deploy' | 'admin') {
  const name = `${scope}-${Math.random()}`;
  const { key } = await runtime.weirJson<{ key: string }>('keys', 'add', name, '--scope', scope);
  return { name, key };
}

test.each([
  ['a wrong key', { authorization: 'Bearer wrong' }, 401, 'unauthorized'],
  ['no key', { authorization: '' }, 401, 'unauthorized'],
  ['the Origin of a web page', { origin: 'https://evil.example' }, 403, 'foreign_host'],
  ['a Host that is another', { host: 'evil.example' }, 403, 'foreign_host'],
])('%s is refused', async (_what, headers, status, code) => {
  const answer = await send(headers);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toMatchObject({ code });
  expect(answer.headers['mcp-session-id']).toBeUndefined();
});

test('what is no beginning of a session is refused in a sentence, and what is too large unread', async () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(await send({}, '{')).toMatchObject({ status: 400 });
  expect((await send({}, list)).body).toContain('begins with \\"initialize\\"');
  expect(await send({ 'mcp-session-id': 'nosuch' }, list)).toMatchObject({ status: 404 });
  expect(await send({}, 'x'.repeat(5 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
  const put = await send({}, '', 'PUT');
  expect(put.status).toBe(405);
  expect(put.headers.allow).toBe('POST, GET, DELETE');
  expect((await send({})).headers['mcp-session-id']).toBeTypeOf('string');
});

test('a key that may read has the tools that only read, and each of them may be called', async () => {
  const { key, name } = await keyFor('read');
  const { client, call, refusal } = await connectedOverHttp(runtime.url, key);
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('list_events');
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  const given = {
    id: 'nosuch',
    run_id: 'inv_1',
    event_id: '1-0',
    what: 'accounts',
    uri: 'weir://',
  };
  for (const { name: tool, inputSchema } of tools) {
    const known = Object.entries(given).filter(
      ([member]) => member in (inputSchema.properties ?? {}),
    );
    const answer = await call(tool, Object.fromEntries(known));
    expect(JSON.stringify(answer)).not.toContain('"forbidden"');
  }
  expect(await refusal('run', { id: 'any' })).toMatch(/not allowed here/);
  const log = await runtime.weir('agents', 'log', '-n', '1');
  expect(log.stdout).toContain(`test-agent 1.0.0 (key ${name}) run`);
});

test('a key that may deploy has all tools, and its session is its own', async () => {
  const { key } = await keyFor('deploy');
  const { client, transport } = await connectedOverHttp(runtime.url, key);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('deploy_source');
  const id = transport.sessionId ?? '';
  expect(id).not.toBe('');
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'ping' });
  expect(await send({ 'mcp-session-id': id }, ping)).toMatchObject({ status: 404 });
  expect(await send({ 'mcp-session-id': id, authorization: `Bearer ${key}` }, ping)).toMatchObject({
    status: 200,
  });
  await transport.terminateSession();
  expect(await send({ 'mcp-session-id': id, authorization: `Bearer ${key}` }, ping)).toMatchObject({
    status: 404,
  });
});

test('with its key the sessions of a key end', async () => {
  const { key, name } = await keyFor('read');
  const begun = await send({ authorization: `Bearer ${key}` });
  const id = String(begun.headers['mcp-session-id']);
  const listening = request(new URL('/mcp', runtime.url), {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'mcp-session-id': id,
    },
  });
  listening.end();
  const [stream] = (await once(listening, 'response')) as [IncomingMessage];
  expect(stream.statusCode).toBe(200);
  stream.resume();
  await runtime.weirJson('keys', 'remove', name);
  await until('its stream to end', () => stream.readableEnded);
});

test('of the sessions of a key the one that is idle longest makes room for one more', async () => {
  const { key } = await keyFor('read');
  const authorization = `Bearer ${key}`;
  const ids: string[] = [];
  for (let n = 0; n < 17; n++) {
    ids.push(String((await send({ authorization })).headers['mcp-session-id']));
  }
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'ping' });
  const [first = '', second = ''] = ids;
  expect((await send({ authorization, 'mcp-session-id': first }, ping)).status).toBe(404);
  expect((await send({ authorization, 'mcp-session-id': second }, ping)).status).toBe(200);
});
