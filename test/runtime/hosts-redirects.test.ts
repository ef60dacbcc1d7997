import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { Hosts } from '../../src/runtime/processes/host.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { type Answer, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { emitted, event, hostsFor, perform, start } from './hosts-helper.ts';

/** `HOST=URL`: requests for third-party hosts end at a local server, https included. */
const answer = ({ method, headers, url, body }: Received): Answer => {
  if (url === '/moved')
    return { status: 302, headers: { location: 'https://other.example.com/after' } };
  const { host, 'x-a': a = null, authorization = null } = headers;
  return { body: [method, host, url, body, a, authorization] };
};
const atEnd = atEndOfSuite();
let server: Receiver;
const tcp = createTcpServer((socket) => socket.end('hello from tcp'));
let hosts: Hosts;

beforeAll(async () => {
  server = await startReceiver({ answer, atEnd });
  const { url } = server;
  tcp.listen(0, '127.0.0.1');
  atEnd(() => void tcp.close());
  await once(tcp, 'listening');
  hosts = await hostsFor({
    redirects: {
      'api.example.com': url,
      '*.example.com': `${url}/wild/`,
      'only.test:8443': `${url}/port`,
      'db.example.org': `tcp://127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    },
  });
});

async function answers(code: string): Promise<unknown> {
  const { host } = await start(
    hosts,
    `import http from 'node:http'; import https, { request as named } from 'https'; import net from 'node:net';
    function read(make, end = '') { return new Promise((resolve, reject) => { const request = make((response) => { let text = ''; response.setEncoding('utf8').on('data', (t) => { text += t; }).on('end', () => resolve(JSON.parse(text))); }); request.on('error', reject); request.end(end); }); }
    export default { async run() { this.$emit(await (${code})); } }`,
  );
  return emitted(await perform(host, event()))[0];
}

test.for([
  [
    'fetch',
    `fetch('https://api.example.com/v1?a=b', { method: 'POST', body: 'B', headers: { 'x-a': '1' } }).then((r) => r.json())`,
    ['POST', 'api.example.com', '/v1?a=b', 'B', '1', null],
  ],
  [
    'fetch with Request',
    `fetch(new Request('http://api.example.com/v1')).then((r) => r.json())`,
    ['GET', 'api.example.com', '/v1', '', null, null],
  ],
  [
    'https.request(options)',
    `read((cb) => https.request({ hostname: 'api.example.com', path: '/x', method: 'PUT', headers: { 'X-A': 2 }, agent: new https.Agent() }, cb), 'B')`,
    ['PUT', 'api.example.com', '/x', 'B', '2', null],
  ],
  [
    'https.request(url, options)',
    `read((cb) => https.request('https://u:p@api.example.com:444/x', { method: 'PUT' }, cb))`,
    ['PUT', 'api.example.com:444', '/x', '', null, 'Basic dTpw'],
  ],
  [
    'https.get(URL)',
    `read((cb) => https.get(new URL('https://api.example.com/x?y'), cb))`,
    ['GET', 'api.example.com', '/x?y', '', null, null],
  ],
  [
    'a named import',
    `read((cb) => named('https://api.example.com/x', cb))`,
    ['GET', 'api.example.com', '/x', '', null, null],
  ],
  [
    'http.get',
    `read((cb) => http.get({ host: 'api.example.com', port: 80 }, cb))`,
    ['GET', 'api.example.com', '/', '', null, null],
  ],
  [
    'a wildcard',
    `read((cb) => https.get('https://deep.sub.example.com/x', cb))`,
    ['GET', 'deep.sub.example.com', '/wild/x', '', null, null],
  ],
  [
    'a wildcard with fetch',
    `fetch('https://sub.EXAMPLE.com/x').then((r) => r.json())`,
    ['GET', 'sub.example.com', '/wild/x', '', null, null],
  ],
  [
    'a port',
    `fetch('https://only.test:8443/x').then((r) => r.json())`,
    ['GET', 'only.test:8443', '/port/x', '', null, null],
  ],
  [
    'a redirect of the server',
    `fetch('https://api.example.com/moved').then(async (r) => [r.url, (await r.json())[2]])`,
    ['https://other.example.com/after', '/wild/after'],
  ],
  [
    'a socket',
    `new Promise((resolve) => net.connect(5432, 'db.example.org').on('data', (d) => resolve(String(d))))`,
    'hello from tcp',
  ],
  [
    'a socket with options',
    `new Promise((resolve) => net.createConnection({ host: 'db.example.org', port: 1 }).on('data', (d) => resolve(String(d))))`,
    'hello from tcp',
  ],
] as const)('%s', async ([, code, expected]) => {
  expect(await answers(code)).toEqual(expected);
});

test('other hosts are left alone', async () => {
  const { port } = new URL(server.url);
  expect(await answers(`fetch('http://127.0.0.1:${port}/direct').then((r) => r.json())`)).toEqual([
    'GET',
    `127.0.0.1:${port}`,
    '/direct',
    '',
    null,
    null,
  ]);
  expect(
    await answers(`read((cb) => http.get('http://localhost:${port}/direct', { family: 4 }, cb))`),
  ).toEqual(['GET', `localhost:${port}`, '/direct', '', null, null]);
});
