/** `$.send.http`, `email` and `s3`: once each, at the end of the leg, with what they were answered kept. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { expect, test } from 'vitest';
import type { WholeExecution } from '../../../src/protocol/catalogue.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { startMailServer } from '../support/smtp.ts';
import { endpointOf, WorkflowWorld } from './world.ts';

interface World {
  readonly world: WorkflowWorld;
}

async function open(args: readonly string[] = []): Promise<World> {
  const world = new WorkflowWorld(args, atEndOfTest);
  await world.open();
  return { world };
}

const sent = (world: WorkflowWorld, id: string) =>
  until('everything was sent', async (seen) => {
    const whole = seen(await world.runtime.restData<WholeExecution>('GET', `/v1/executions/${id}`));
    return (
      whole.sends.length > 0 && whole.sends.every(({ status }) => status !== 'pending') && whole
    );
  });

async function run(world: WorkflowWorld, code: string): Promise<WholeExecution> {
  const workflow_path = await world.write({ steps: [{ namespace: 'send', run: code }] });
  const { id } = await world.runtime.restData<{ id: string }>('POST', '/v1/workflows', {
    workflow_path,
  });
  const started = await world.runtime.restData<WholeExecution>(
    'POST',
    `/v1/workflows/${id}/executions`,
    { wait: true },
  );
  return sent(world, started.id);
}

test('a request goes out once, and its answer is kept, whatever it says', async () => {
  const { url, received } = await startReceiver({
    answer: () => ({ status: 503, body: 'not now' }),
  });
  const { world } = await open();
  const { sends } = await run(
    world,
    `$.send.http({ method: 'POST', url: '${url}/hook', headers: { 'x-a': 'b' }, data: { n: 1 } });`,
  );
  expect(sends).toEqual([
    expect.objectContaining({
      path: 'send',
      kind: 'http',
      status: 'sent',
      answer: expect.objectContaining({ status: 503, body: 'not now' }) as unknown,
    }),
  ]);
  expect(received).toHaveLength(1);
  expect(received[0]?.json()).toEqual({ n: 1 });
  expect(received[0]?.headers['x-a']).toBe('b');
});

test('a request is sent elsewhere as those of components are, and its caller told which execution it is', async () => {
  const { url, received } = await startReceiver();
  const { world } = await open(['--redirect', `*.example.org=${url}/base`]);
  await run(world, `$.send.http({ method: 'GET', url: 'https://api.example.org/hook?a=1' });`);
  expect(received[0]?.url).toBe('/base/hook?a=1');
  expect(received[0]?.headers.host).toBe('api.example.org');
  const asking = await world.deploy({
    steps: [
      {
        namespace: 'ask',
        run: `const https = await import('node:https');
          await (await fetch('https://api.example.org/fetched')).text();
          await (await fetch('http://api.example.org/plain')).text();
          await new Promise((done) => https.get('https://api.example.org:8443/got', (r) => r.resume().on('end', done)));`,
      },
    ],
  });
  const { requests } = await world.run(asking, {});
  expect(requests.map((one) => one.url)).toEqual([
    'https://api.example.org/base/fetched',
    'http://api.example.org/base/plain',
    'https://api.example.org:8443/base/got',
  ]);
  const workflow = await world.deploy({
    triggers: [{ uses: '$.interface.http' }],
    steps: [{ namespace: 'none', run: '' }],
  });
  const answer = await fetch(endpointOf(workflow));
  const [execution] = await world.executions(workflow);
  expect(answer.headers.get('x-weir-invocation')).toBe(execution?.id);
});

// P13.16
test('a redirect is followed without credentials to another host, and nowhere but to HTTP', async () => {
  const other = await startReceiver();
  const { url, received } = await startReceiver({
    answer: ({ path }) => {
      const to: Record<string, string> = {
        '/away': `${other.url}/there`,
        '/round': '/round',
        '/near': '/end',
        '/named': 'https://api.example.org/next',
        '/file': 'file:///etc/hostname',
        '/login': other.url.replace('//', '//user:pass@'),
      };
      const location = to[path];
      return location === undefined ? {} : { status: 307, headers: { location } };
    },
  });
  const { world } = await open(['--redirect', `*.example.org=${other.url}/base`]);
  const send = (
    path: string,
  ): string => `$.send.http({ method: 'POST', url: '${url}${path}', data: { n: 1 },
    headers: { 'x-api-key': 'k', authorization: 'Bearer t', cookie: 'c=1' } });`;
  const { sends } = await run(
    world,
    ['/away', '/near', '/named', '/round', '/file', '/login'].map(send).join('\n'),
  );
  expect(sends.map(({ status }) => status)).toEqual([
    'sent',
    'sent',
    'sent',
    'failed',
    'failed',
    'failed',
  ]);
  expect(sends[3]?.error?.message).toContain('more than 10 times');
  expect(sends[4]?.error?.message).toContain('http:// and https:// only');
  expect(sends[5]?.error?.message).toContain('has a user or password in it');
  expect(received.filter(({ path }) => path === '/round')).toHaveLength(11);
  const near = received.find(({ path }) => path === '/end');
  expect(near?.headers).toMatchObject({
    'x-api-key': 'k',
    authorization: 'Bearer t',
    cookie: 'c=1',
  });
  expect(other.received.map(({ path }) => path).sort()).toEqual(['/base/next', '/there']);
  for (const one of other.received) {
    expect(one.json()).toEqual({ n: 1 });
    for (const name of ['x-api-key', 'authorization', 'cookie'])
      expect(one.headers).not.toHaveProperty(name);
  }
  const named = other.received.find(({ path }) => path === '/base/next');
  expect(named?.headers).toMatchObject({ host: 'api.example.org', 'x-forwarded-proto': 'https' });
});

test('a request to nobody has failed, and says why', async () => {
  const { world } = await open();
  const { sends } = await run(world, `$.send.http({ method: 'GET', url: 'http://127.0.0.1:1/' });`);
  expect(sends[0]?.status).toBe('failed');
  expect(sends[0]?.error?.message).not.toBe('');
});

test('what a step that throws has asked for goes out as well, and what is wrong is said at the call', async () => {
  const { url, received } = await startReceiver();
  const { world } = await open();
  const whole = await run(
    world,
    `$.send.http({ method: 'GET', url: '${url}/' }); $.send.http({ method: 'GET', url: 'no url' });`,
  );
  expect(whole.status).toBe('failed');
  expect(whole.error?.message).toContain('url must be an absolute URL');
  expect(received).toHaveLength(1);
});

test('kill -9 at the commit of the leg: what was asked for goes out at the next start', async () => {
  const { url, received } = await startReceiver({
    answer: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return {};
    },
  });
  const { world } = await open();
  const workflow_path = await world.write({
    steps: [{ namespace: 'send', run: `$.send.http({ method: 'GET', url: '${url}/' });` }],
  });
  const { id } = await world.runtime.restData<{ id: string }>('POST', '/v1/workflows', {
    workflow_path,
  });
  const started = await world.runtime.restData<WholeExecution>(
    'POST',
    `/v1/workflows/${id}/executions`,
    { wait: true },
  );
  await world.restart();
  const whole = await sent(world, started.id);
  expect(whole.sends[0]?.status).toBe('sent');
  // The first may have arrived before the kill: at least once.
  expect(received.length).toBeGreaterThan(0);
});

test('a mail goes through the SMTP server of the settings', async () => {
  const { mails, settings } = await startMailServer();
  const { world } = await open(settings);
  const { sends } = await run(world, `$.send.email({ subject: 'Hello', text: 'how are you' });`);
  expect(sends[0]).toMatchObject({ kind: 'email', status: 'sent' });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('To: me@example.org');
  expect(mails[0]).toContain('Subject: Hello');
  expect(mails[0]).toContain('how are you');
});

test('without a server it is kept as a file', async () => {
  const { world } = await open();
  const { sends } = await run(world, `$.send.email({ subject: 'Kept', html: '<b>x</b>' });`);
  const { file } = (sends[0]?.answer ?? {}) as { file: string };
  expect(await readFile(file, 'utf8')).toContain('Subject: Kept');
});

test('an object goes to an S3-compatible server with the keys of the account', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'weir-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'stuff', configs: [] }],
  });
  const { port } = await server.run();
  atEndOfTest(() => server.close());
  const { world } = await open(['--set', `s3.endpoint=http://127.0.0.1:${port}`]);
  await world.runtime.restData('POST', '/v1/accounts', {
    app: 'aws',
    name: 'S3',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' },
  });
  const { sends } = await run(
    world,
    `$.send.s3({ bucket: 'stuff', prefix: 'a/b', payload: { n: 1 } });`,
  );
  expect(sends[0]).toMatchObject({ kind: 's3', status: 'sent' });
  const { key } = (sends[0]?.answer ?? {}) as { key: string };
  expect(key).toMatch(/^a\/b\/\d{4}\/\d\d\/\d\d\/\d+\.json$/);
  expect(await readFile(join(directory, 'stuff', `${key}._S3rver_object`), 'utf8')).toBe('{"n":1}');
});
