/** HTTP requests of an execution are kept, and answer its test when the server is gone. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  type Answer,
  type Received,
  startReceiver,
  type Receiver,
} from '../../support/receiver.ts';
import { workflowWorld } from './world.ts';

const world = workflowWorld();
const weir = (...args: string[]) => world.runtime.weir(...args);
const inEnvironment = 'marker-of-the-environment-71c2';
const inHeader = 'marker-of-a-header-0e55';
const inAnswer = 'marker-of-an-answer-44ab';

const answer = ({ method, url, body }: Received): Answer => {
  if (url.startsWith('/moved')) return { status: 302, headers: { location: '/items?page=2' } };
  if (url === '/packed') {
    const bytes = gzipSync(JSON.stringify({ packed: true }));
    return {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: bytes,
    };
  }
  if (url === '/picture') return { body: Buffer.from([0x89, 0x50, 0xff, 0x00, 0xfe]) };
  if (url === '/large') return { body: 'x'.repeat(300 * 1024) };
  if (url === '/token') return { body: { access_token: inAnswer, expires_in: 60 } };
  if (url.startsWith('/status')) return { status: 418, body: { error: 'a teapot' } };
  return { body: { method, url, said: body, at: Date.now() } };
};

/** What a step does with the server, each as another client does it. */
const steps = (url: string): Readonly<Record<string, string>> => ({
  fetched: `const r = await fetch('${url}/items?b=2&a=1', { headers: { authorization: 'Bearer ${inHeader}', 'x-key': process.env.RECORDED } });
    const token = await (await fetch('${url}/token')).json();
    return { ...(await r.json()), type: typeof token.access_token };`,
  posted: `const http = await import('node:http');
    return new Promise((resolve, reject) => {
      const request = http.request('${url}/things', { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
        let text = ''; response.setEncoding('utf8');
        setTimeout(() => response.on('data', (t) => { text += t; }).on('end', () => resolve(JSON.parse(text))), 5);
      });
      request.on('error', reject); request.write('{"a":'); request.end('1}');
    });`,
  moved: `const r = await fetch('${url}/moved'); return { redirected: r.redirected, ...(await r.json()) };`,
  packed: `return (await fetch('${url}/packed')).json();`,
  picture: `return Buffer.from(await (await fetch('${url}/picture')).arrayBuffer()).toString('hex');`,
  refused: `const r = await fetch('${url}/status'); return [r.status, (await r.json()).error];`,
  unread: `const http = await import('node:http');
    await new Promise((resolve) => http.get('${url}/unread').on('close', resolve));
    const r = await fetch('${url}/head', { method: 'HEAD' }); return r.status;`,
});

async function write(url: string, name: string, more: Readonly<Record<string, string>> = {}) {
  const all = { ...steps(url), ...more };
  const list = Object.entries(all).map(([namespace, run]) => ({ namespace, run }));
  return world.write({ name, steps: list }, name);
}

async function saved(server: Receiver, name: string) {
  const client = await world.runtime.connect();
  await client.call('environment.set', { name: 'RECORDED', value: inEnvironment });
  const folder = await write(server.url, name);
  const run = await world.run(await world.deployFolder(folder), { hello: 1 });
  expect([run.status, run.error]).toEqual(['succeeded', null]);
  const made = await weir('save-test', run.id, '--name', 'whole');
  expect([made.code, made.stderr]).toEqual([0, '']);
  return { folder, run, said: made.stdout };
}

test('a test is answered from the recording when the server is gone, whatever the client', async () => {
  const server = await startReceiver({ answer });
  const { folder, run, said } = await saved(server, 'offline');
  expect(
    run.requests.map(({ path, method, url, status }) => [
      path,
      method,
      url.slice(server.url.length),
      status,
    ]),
  ).toEqual([
    ['fetched', 'GET', '/items?b=2&a=1', 200],
    ['fetched', 'GET', '/token', 200],
    ['posted', 'POST', '/things', 200],
    ['moved', 'GET', '/moved', 302],
    ['moved', 'GET', '/items?page=2', 200],
    ['packed', 'GET', '/packed', 200],
    ['picture', 'GET', '/picture', 200],
    ['refused', 'GET', '/status', 418],
    ['unread', 'GET', '/unread', 200],
    ['unread', 'HEAD', '/head', 200],
  ]);
  expect(said).toMatch(/10 requests over HTTP will be answered from .*whole\.har\./);
  await server.close();
  const before = server.received.length;

  // The times in the answers are those of the recording.
  const passed = await weir('test', folder);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('1 passed, 0 failed')]);
  expect(server.received.length).toBe(before);

  const har = await readFile(join(folder, 'tests', 'whole.har'), 'utf8');
  const entries = (JSON.parse(har) as { log: { entries: { request: object }[] } }).log.entries;
  expect(entries[2]?.request).toMatchObject({ method: 'POST', postData: { text: '{"a":1}' } });
});

test('an archive that somebody has put there is not written over, and goes with no test', async () => {
  const server = await startReceiver({ answer });
  const { folder, run } = await saved(server, 'kept');
  const theirs = join(folder, 'tests', 'theirs.har');
  await writeFile(theirs, 'theirs');
  const refused = await weir('save-test', run.id, '--name', 'theirs');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('theirs.har is there already'),
  ]);
  expect(await readdir(join(folder, 'tests'))).toEqual([
    'theirs.har',
    'whole.har',
    'whole.test.yaml',
  ]);
  const pins = run.steps.flatMap(({ namespace }) => ['--pin', namespace]);
  expect((await weir('save-test', run.id, '--name', 'theirs', ...pins)).code).toBe(0);
  expect(await readFile(theirs, 'utf8')).toBe('theirs');
  // One that is replaced by a test without requests takes its own along.
  expect((await weir('save-test', run.id, '--name', 'whole', '--replace', ...pins)).code).toBe(0);
  expect(await readdir(join(folder, 'tests'))).not.toContain('whole.har');
  await server.close();
});

test('what lets somebody in is not in the files beside a test, and that of accounts and headers is not in the store', async () => {
  const server = await startReceiver({ answer });
  const { folder } = await saved(server, 'secrets');
  for (const name of await readdir(join(folder, 'tests'))) {
    const text = await readFile(join(folder, 'tests', name), 'utf8');
    for (const marker of [inEnvironment, inHeader, inAnswer]) expect(text).not.toContain(marker);
  }
  await world.runtime.stop();
  const data = join(world.folder, 'data');
  for (const name of await readdir(data)) {
    if (!name.startsWith('weir.db')) continue;
    const bytes = await readFile(join(data, name), 'latin1');
    // The code of the step has the header; what was sent with it has not.
    expect(bytes).not.toContain(`"authorization","Bearer ${inHeader}`);
    expect(bytes).not.toContain(inEnvironment);
  }
  await world.start();
  await server.close();
});

test('a request that was not recorded fails the test by its name and its step', async () => {
  const server = await startReceiver({ answer });
  const { folder } = await saved(server, 'unrecorded');
  await write(server.url, 'unrecorded', {
    packed: `const r = await fetch('${server.url}/packed'); await fetch('${server.url}/packed');
      await fetch('https://elsewhere.example.com/v1/charge?x=1', { method: 'POST', body: 'b' }); return r.json();`,
  });
  const before = server.received.length;
  const failed = await weir('test', folder);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('an answer from whole.har');
  expect(failed.stdout).toMatch(
    /POST https:\/\/elsewhere\.example\.com\/v1\/charge\?x=1 was not recorded\. The step is packed\./,
  );
  expect(failed.stdout).toMatch(/GET .*\/packed was recorded once, and is made once more\./);
  expect(failed.stdout).toMatch(/0 passed, 1 failed\n$/);
  expect(server.received.length).toBe(before);
  await server.close();
});

test('an answer that was too long, one that never came, and an archive that is gone are said', async () => {
  const server = await startReceiver({ answer });
  const nobody = await startReceiver();
  await nobody.close();
  const folder = await world.write(
    {
      name: 'long',
      steps: [
        {
          namespace: 'nobody',
          run: `try { await fetch('${nobody.url}/'); return 'answered'; } catch (error) { return error.message; }`,
        },
        {
          namespace: 'large',
          run: `return (await (await fetch('${server.url}/large')).text()).length;`,
        },
      ],
    },
    'long',
  );
  const run = await world.run(await world.deployFolder(folder));
  expect(run.requests).toMatchObject([
    { status: null, error: expect.any(String) },
    { status: 200 },
  ]);
  await weir('save-test', run.id, '--name', 'long');
  await server.close();
  const failed = await weir('test', folder);
  expect(failed.stdout).toMatch(
    /The answer to GET .*\/large was too long to be kept: pin the step/,
  );
  expect(failed.stdout).not.toContain('steps.nobody');

  await rm(join(folder, 'tests', 'long.har'));
  const gone = await weir('test', folder);
  expect([gone.code, gone.stdout]).toEqual([
    1,
    expect.stringContaining('long.har cannot be read: there is no such file'),
  ]);
  await writeFile(join(folder, 'tests', 'long.har'), '{"log":{}}');
  const odd = await weir('test', folder);
  expect(odd.stdout).toMatch(/long\.har cannot be read: log\.entries/);
});
