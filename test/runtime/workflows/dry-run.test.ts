/** A dry run of a workflow: nothing leaves, whatever the step sends with; a test says what went out (P25.103 to P25.105). */
import { createSocket } from 'node:dgram';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import { startReceiver } from '../../support/receiver.ts';
import { stepOf, type TestStep, workflowWorld } from './world.ts';

const world = workflowWorld();
const weir = (...args: string[]) => world.runtime.weir(...args);

type Tested = Result<'executions.test'>;

const tested = (folder: string, body: object = {}): Promise<Tested> =>
  world.runtime.restData('POST', '/v1/executions/test', {
    workflow_path: folder,
    wait: true,
    ...body,
  });

/** A port that counts what connects to it or sends datagrams to it. */
async function counters(): Promise<{ tcp: number; udp: number; connections: () => number }> {
  let count = 0;
  const server = createTcpServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const udp = createSocket('udp4', () => (count += 1));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  atEndOfTest(() => {
    server.close();
    udp.close();
  });
  return {
    tcp: (server.address() as AddressInfo).port,
    udp: udp.address().port,
    connections: () => count,
  };
}

const store = (key: string, code: string): string => `export default {
  name: 'Keeps', key: '${key}', version: '0.0.1', type: 'action',
  props: { data: { type: 'data_store' }, db: '$.service.db' },
  async run() { const data = this.data; const db = this.db; ${code} },
};`;

test('P25.103: a dry run sends nothing, whichever client a step uses, and fails by the name of the request', async () => {
  const receiver = await startReceiver({ answer: () => ({ body: { ok: true } }) });
  const { tcp, udp, connections } = await counters();
  const { url } = receiver;
  const https = url.replace('http:', 'https:');
  const clients: Readonly<Record<string, string>> = {
    fetches: `const r = await fetch('${url}/charge', { method: 'POST', body: 'x' }); return r.status`,
    parses: `return (await fetch('${url}/charge', { method: 'POST' })).json()`,
    gets: `return (await fetch('${url}/read')).status`,
    node_http: `const http = await import('node:http');
      return new Promise((resolve, reject) => http.request('${url}/charge', { method: 'POST', agent: new http.Agent() }, (r) => { r.resume(); resolve(r.statusCode); }).on('error', reject).end('x'))`,
    node_https: `const https = await import('node:https');
      return new Promise((resolve, reject) => https.request('${https}/charge', { method: 'PUT' }, (r) => { r.resume(); resolve(r.statusCode); }).on('error', reject).end('x'))`,
    client_request: `const { ClientRequest } = await import('node:http');
      return new Promise((resolve, reject) => new ClientRequest('${url}/charge', (r) => resolve(r.statusCode)).on('error', reject).end())`,
    web_socket: `return new Promise((resolve, reject) => { const ws = new WebSocket('${url.replace('http', 'ws')}/ws'); ws.onerror = () => reject(new Error('no')); ws.onopen = () => resolve('open'); })`,
  };
  const refused: Readonly<Record<string, string>> = {
    http2: `const http2 = await import('node:http2');
      return new Promise((resolve, reject) => http2.connect('${url}').on('error', reject).on('connect', () => resolve('open')))`,
    socket: `const net = await import('node:net');
      return new Promise((resolve, reject) => net.connect(${tcp}, '127.0.0.1').on('error', reject).on('connect', () => resolve('open')))`,
    socket_by_port: `const net = await import('node:net');
      return new Promise((resolve, reject) => net.createConnection(${tcp}).on('error', reject).on('connect', () => resolve('open')))`,
    tls: `const tls = await import('node:tls');
      return new Promise((resolve, reject) => tls.connect({ host: '127.0.0.1', port: ${tcp} }).on('error', reject).on('secureConnect', () => resolve('open')))`,
    datagram: `const { createSocket } = await import('node:dgram'); const s = createSocket('udp4');
      try { await new Promise((resolve, reject) => s.send('x', ${udp}, '127.0.0.1', (e) => e ? reject(e) : resolve())); } finally { s.close(); }`,
    program: `const { promisify } = await import('node:util'); const { execFile } = await import('node:child_process');
      return promisify(execFile)(process.execPath, ['-e', 'fetch("${url}/child")'])`,
    program_sync: `const { execSync } = await import('node:child_process'); return String(execSync('echo hello'))`,
    worker: `const { Worker } = await import('node:worker_threads'); new Worker('fetch("${url}/worker")', { eval: true });`,
  };
  const deaf = Object.entries({ ...clients, ...refused }).map(([namespace, run]) => ({
    namespace,
    on_error: 'continue',
    run,
  }));
  const folder = await world.write({ steps: deaf });
  const run = await tested(folder);
  expect(run.outgoing).toMatchObject({ mode: 'dry', records: 0, cleared: 0 });
  for (const namespace of Object.keys(clients)) {
    const { status, error } = stepOf(run, namespace);
    expect([namespace, status, error?.message]).toEqual([
      namespace,
      'failed',
      expect.stringMatching(/ (?:was not recorded|was held back by the dry run)\. Pin the step/),
    ]);
  }
  for (const namespace of Object.keys(refused)) {
    expect([namespace, stepOf(run, namespace).error]).toEqual([
      namespace,
      expect.objectContaining({ name: 'HeldBack' }),
    ]);
  }
  // Not where its answer turned out to be no JSON.
  expect(stepOf(run, 'parses').error?.stack).toBeUndefined();
  expect(stepOf(run, 'fetches').error?.message).toContain(`POST ${url}/charge was not recorded.`);
  expect(run.outgoing?.held).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`POST ${url}/charge was not recorded.`),
      expect.stringContaining(`A connection to 127.0.0.1:${tcp} was held back`),
      expect.stringContaining('A UDP datagram was held back'),
      expect.stringContaining(`The program ${process.execPath} was held back`),
    ]),
  );
  expect(receiver.received).toEqual([]);
  expect(connections()).toBe(0);
});

test('P25.103: a step that goes on without what was held back has failed, and so has a saved test', async () => {
  const { tcp, connections } = await counters();
  const goesOn = `const net = await import('node:net');
    await new Promise((resolve) => net.connect(${tcp}, '127.0.0.1').on('error', resolve)); return 1`;
  const folder = await world.write({ steps: [{ namespace: 'tries', run: goesOn }] });
  const run = await tested(folder);
  expect(stepOf(run, 'tries')).toMatchObject({ status: 'failed', error: { name: 'HeldBack' } });
  await mkdir(join(folder, 'tests'));
  await writeFile(join(folder, 'tests', 'a.test.yaml'), 'expect: {}\n');
  const sources = join(folder, '..', 'sources-tried');
  await mkdir(join(sources, 'tests'), { recursive: true });
  await writeFile(
    join(sources, 'tries.mjs'),
    `export default { name: 'Tries', version: '0.0.1', type: 'source', async run() { ${goesOn} } };`,
  );
  await writeFile(join(sources, 'tests', 'a.test.yaml'), 'source: ../tries.mjs\nexpect: {}\n');
  for (const place of [folder, sources]) {
    const { code, stdout } = await weir('test', place);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`:${tcp} was held back`)]);
  }
  expect(connections()).toBe(0);
});

test('P25.103: requests of a dry run are answered from the execution that it replays', async () => {
  let served = 0;
  const receiver = await startReceiver({ answer: () => ({ body: { served: (served += 1) } }) });
  const steps: TestStep[] = [
    {
      namespace: 'charge',
      run: `const r = await fetch('${receiver.url}/charge', { method: 'POST', body: JSON.stringify(steps.trigger.event) }); return r.json()`,
    },
  ];
  const workflow = await world.deploy({ steps });
  const live = await world.run(workflow, { n: 1 });
  expect(receiver.received.length).toBe(1);
  const again = await tested(workflow.path, { execution: live.id });
  expect([again.status, stepOf(again, 'charge').return_value]).toEqual([
    'succeeded',
    { served: 1 },
  ]);
  // A dry run that is replayed has the same answer, and no other event is sent either.
  const third = await tested(workflow.path, { execution: again.id, event: { n: 2 } });
  expect(stepOf(third, 'charge').return_value).toEqual({ served: 1 });
  const without = await tested(workflow.path, { event: { n: 1 } });
  expect([without.status, without.error?.name]).toEqual(['failed', 'HeldBack']);
  expect(receiver.received.length).toBe(1);

  const real = await tested(workflow.path, { execution: live.id, mode: 'real' });
  expect(stepOf(real, 'charge').return_value).toEqual({ served: 2 });

  const compared = await weir('replay', workflow.name_slug, '--last', '1', '--on-files');
  expect([compared.code, compared.stdout]).toEqual([0, expect.stringContaining('the same')]);
  expect(receiver.received.length).toBe(2);
  const realAgain = await weir('replay', live.id, '--on-files', '--real');
  expect(realAgain.stdout).toContain(`1 request to ${new URL(receiver.url).host}.`);
  expect(receiver.received.length).toBe(3);
});

test('P25.104: data stores and db of a dry run are copies that its later steps see', async () => {
  const name = 'counted';
  const count = `const n = ((await data.get('n')) ?? 0) + 1; await data.set('n', n); db.set('last', n); return n`;
  const steps: TestStep[] = [
    { namespace: 'one', code: store('k-one', count), props: { data: name } },
    { namespace: 'two', code: store('k-two', count), props: { data: name } },
  ];
  const workflow = await world.deploy({ steps });
  expect(stepOf(await world.run(workflow), 'two').return_value).toBe(2);
  for (let times = 0; times < 2; times += 1) {
    const dry = await tested(workflow.path);
    expect(stepOf(dry, 'two').return_value).toBe(4);
    expect(dry.outgoing).toMatchObject({ mode: 'dry', records: 1, db: 1 });
  }
  const saved = await weir(
    'save-test',
    (await world.executions(workflow))[0]?.id ?? '',
    '--name',
    'count',
  );
  expect(saved.code).toBe(0);
  for (let times = 0; times < 2; times += 1) {
    expect((await weir('test', workflow.path)).stdout).toContain('1 passed');
  }
  expect(stepOf(await world.run(workflow), 'one').return_value).toBe(3);
  const real = await tested(workflow.path, { mode: 'real' });
  expect([stepOf(real, 'one').return_value, real.outgoing?.records]).toEqual([5, 1]);
  expect(stepOf(await world.run(workflow), 'one').return_value).toBe(7);
});

test('P25.105: asked for, GET and HEAD are sent until a person chooses, and the choice is remembered', async () => {
  const receiver = await startReceiver({ answer: () => ({ body: {} }) });
  const { url } = receiver;
  const folder = await world.write({
    steps: [
      {
        namespace: 'reads',
        run: `return [(await fetch('${url}/read')).status, (await new Promise((resolve, reject) => import('node:http').then((http) => http.request('${url}/head', { method: 'HEAD' }, resolve).on('error', reject).end()))).statusCode]`,
      },
      {
        namespace: 'sends',
        run: `return (await fetch('${url}/charge', { method: 'POST' })).status`,
      },
    ],
  });
  const first = await tested(folder, { mode: 'ask' });
  expect(first).toMatchObject({ status: 'failed', outgoing: { mode: 'reads' } });
  expect(stepOf(first, 'reads').return_value).toEqual([200, 200]);
  expect(first.outgoing?.held).toEqual([expect.stringContaining(`POST ${url}/charge`)]);
  expect(receiver.received.map(({ method }) => method)).toEqual(['GET', 'HEAD']);

  await tested(folder, { mode: 'real', remember: true });
  const asked = await tested(folder, { mode: 'ask' });
  expect(asked).toMatchObject({ status: 'succeeded', outgoing: { mode: 'real' } });
  expect(receiver.received.filter(({ method }) => method === 'POST').length).toBe(2);
  await tested(folder, { mode: 'dry', remember: true });
  expect(await tested(folder, { mode: 'ask' })).toMatchObject({ outgoing: { mode: 'dry' } });
});

test('P25.105: asked for, only what GET and HEAD themselves need is let through', async () => {
  const receiver = await startReceiver({ answer: () => ({ body: {} }) });
  const { tcp, connections } = await counters();
  const { url, port } = { url: receiver.url, port: new URL(receiver.url).port };
  const socket = `net.connect(${tcp}, '127.0.0.1').on('error', reject).on('connect', () => resolve('open'))`;
  const held: Readonly<Record<string, string>> = {
    web_socket: `return new Promise((resolve, reject) => { const ws = new WebSocket('ws://127.0.0.1:${port}/ws'); ws.onerror = () => reject(new Error('no')); ws.onopen = () => resolve('open'); })`,
    upgrade: `const http = await import('node:http');
      return new Promise((resolve, reject) => http.get('${url}/ws', { headers: { connection: 'Upgrade', UPGRADE: 'websocket' } }, (r) => { r.resume(); resolve(r.statusCode); }).on('error', reject).on('upgrade', () => resolve('open')))`,
    in_callback: `const [http, net] = await Promise.all([import('node:http'), import('node:net')]);
      return new Promise((resolve, reject) => http.get('${url}/read', (r) => { r.resume(); r.on('end', () => ${socket}); }).on('error', reject))`,
    in_dispatch: `const net = await import('node:net');
      const dispatcher = globalThis[Symbol.for('undici.globalDispatcher.1')];
      return new Promise((resolve, reject) => dispatcher.dispatch({ origin: '${url}', path: '/read', method: 'GET' }, {
        onConnect() {}, onError: reject, onHeaders: () => true, onData: () => true, onComplete: () => ${socket} }))`,
  };
  const steps = Object.entries(held).map(([namespace, run]) => ({
    namespace,
    on_error: 'continue',
    run,
  }));
  const run = await tested(await world.write({ steps }), { mode: 'ask' });
  for (const namespace of Object.keys(held)) {
    const { status, error } = stepOf(run, namespace);
    expect([namespace, status, error?.name]).toEqual([namespace, 'failed', 'HeldBack']);
  }
  expect(receiver.received.map(({ url: asked }) => asked)).toEqual(['/read', '/read']);
  expect(connections()).toBe(0);
});

test('P25.105: without a terminal weir run and weir test are dry unless --real is given, and say what went out', async () => {
  const receiver = await startReceiver({ answer: () => ({ body: {} }) });
  const { url } = receiver;
  const folder = await world.write({
    steps: [
      {
        namespace: 'keeps',
        code: store('k-keeps', `await data.set('a', 1)`),
        props: { data: 'cli' },
      },
      {
        namespace: 'sends',
        run: `for (const path of ['a', 'b']) await fetch('${url}/' + path, { method: 'POST' })`,
      },
    ],
  });
  const dry = await weir('run', folder);
  expect(dry.code).toBe(1);
  expect(dry.stdout).toContain('Dry run, nothing was sent: 1 record changed in a copy.');
  expect(dry.stdout).toContain(`Held back: POST ${url}/a was not recorded. Pin the step`);
  expect(receiver.received).toEqual([]);
  const real = await weir('run', folder, '--real');
  expect([real.code, real.stdout]).toEqual([
    0,
    expect.stringContaining(`2 requests to ${new URL(url).host}, 1 record changed.`),
  ]);
  expect((await weir('run', folder, '--real', '--dry')).stderr).toContain('not both');

  // A saved test without an archive.
  await mkdir(join(folder, 'tests'));
  await writeFile(join(folder, 'tests', 'a.test.yaml'), 'expect: {status: succeeded}\n');
  const before = receiver.received.length;
  const saved = await weir('test', folder);
  expect([saved.code, receiver.received.length]).toEqual([1, before]);
  expect(saved.stdout).toContain(`POST ${url}/a was not recorded`);
  expect(await weir('test', folder, '--real')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`2 requests to ${new URL(url).host}, 1 record changed.`),
  });
  expect(receiver.received.length).toBe(before + 2);
});

test('P25.103: a dry run holds back Bash scripts and what a Python script sends or starts', async () => {
  const receiver = await startReceiver({ answer: () => ({ body: { live: true } }) });
  const { tcp, connections } = await counters();
  const { url } = receiver;
  const python: Readonly<Record<string, string>> = {
    asks: `import urllib.request\n    return urllib.request.urlopen("${url}/py").read().decode()`,
    connects: `import socket\n    socket.socket().connect(("127.0.0.1", ${tcp}))`,
    starts: `import subprocess\n    subprocess.run(["echo", "hello"])`,
    shell: `import os\n    os.system("echo hello")`,
    goes_on: `import socket\n    try: socket.socket().connect(("127.0.0.1", ${tcp}))\n    except Exception: pass\n    return 1`,
    works: `return 1 + 1`,
  };
  const folder = await world.write({
    steps: [
      ...Object.keys(python).map((namespace) => ({
        namespace,
        uses: `./${namespace}/entry.py`,
        on_error: 'continue',
      })),
      { namespace: 'bash', uses: './bash/entry.sh', on_error: 'continue' },
    ],
  });
  for (const [namespace, body] of Object.entries(python)) {
    await mkdir(join(folder, namespace), { recursive: true });
    await writeFile(
      join(folder, namespace, 'entry.py'),
      `def handler(pd: "pipedream"):\n    ${body}\n`,
    );
  }
  await mkdir(join(folder, 'bash'), { recursive: true });
  await writeFile(join(folder, 'bash', 'entry.sh'), `curl -X POST ${url}/bash\n`);
  const run = await tested(folder);
  expect(stepOf(run, 'works').return_value).toBe(2);
  for (const [namespace, message] of [
    ['asks', /501|not recorded/i],
    ['connects', /127\.0\.0\.1:\d+ was held back/],
    ['goes_on', /127\.0\.0\.1:\d+ was held back/],
    ['starts', /The program .* was held back/],
    ['shell', /The program .* was held back/],
    ['bash', /The Bash script .* was held back/],
  ] as const) {
    expect([namespace, stepOf(run, namespace).error?.message]).toEqual([
      namespace,
      expect.stringMatching(message),
    ]);
  }
  expect(receiver.received).toEqual([]);
  expect(connections()).toBe(0);
});
