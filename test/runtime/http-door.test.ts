/** What the HTTP door makes of requests as clients and proxies send them (P7, P25.44). */
import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Workflow } from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import {
  endpointOf,
  respondingTrigger,
  stepOf,
  WorkflowWorld,
  workflowWorld,
} from './workflows/world.ts';
import { beforeAll } from 'vitest';

const world = workflowWorld();
let echo: string;
const echoing = {
  triggers: [respondingTrigger],
  steps: [
    {
      namespace: 'echo',
      run: `await $.respond({ status: 200, headers: { 'content-type': 'application/json' }, body: steps.trigger.event });`,
    },
  ],
};
beforeAll(async () => {
  echo = endpointOf(await world.deploy(echoing));
});

interface Event {
  readonly url: string;
  readonly client_ip: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

const sent = async (body: string | Buffer, headers: Record<string, string>): Promise<Event> =>
  (await (
    await fetch(echo, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers })
  ).json()) as Event;

/** Lines of a head as they are, on a connection of its own. @returns the answer's head and its body */
async function raw(head: readonly string[], to = echo): Promise<{ head: string; event: Event }> {
  const { hostname, port } = new URL(to);
  const socket = connect(Number(port), hostname);
  socket.end(`${head.join('\r\n')}\r\n\r\n`);
  const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  const [first = '', ...rest] = text.split('\r\n\r\n');
  const json = rest.join('\r\n\r\n');
  const from = json.indexOf('{');
  return {
    head: first,
    event: (from === -1 ? {} : JSON.parse(json.slice(from, json.lastIndexOf('}') + 1))) as Event,
  };
}

describe('forms', () => {
  test('multipart with a preamble, LF and names without quotes', async () => {
    const body = 'hello\n--w1\nContent-Disposition: form-data; name=a\n\n1\n--w1--\n';
    const event = await sent(body, { 'content-type': 'multipart/form-data; boundary=w1' });
    expect(event.body).toEqual({ a: '1' });
  });
  test('escapes in their charset (P7.53)', async () => {
    const event = await sent('city=K%F6ln', {
      'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1',
    });
    expect(event.body).toEqual({ city: 'Köln' });
  });
  test('512 KB of a repeated name', async () => {
    const begun = performance.now();
    const event = await sent('a&'.repeat(262_143), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect((event.body as { a: string[] }).a.length).toBe(262_143);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe('pages of other origins (P7.55)', () => {
  const cors = (response: Response) => response.headers.get('access-control-allow-origin');
  test('may read every answer', async () => {
    const plain = endpointOf(
      await world.deploy({ ...echoing, triggers: [{ uses: '$.interface.http' }] }),
    );
    const guarded = endpointOf(
      await world.deploy({
        ...echoing,
        triggers: [
          { uses: '$.interface.http', props: { auth: { type: 'token', token: 's3cret' } } },
        ],
      }),
    );
    const answers = [
      await fetch(plain),
      await fetch(echo),
      await fetch(guarded),
      await fetch(plain.replace(/hi_\w+/, 'hi_0000000')),
      await fetch(echo, { method: 'POST', body: 'x'.repeat(600_000) }),
      await fetch(echo.replace(/hi_\w+.*$/, 'resume_none/resume')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 413, 404]);
    expect(answers.map(cors)).toEqual(answers.map(() => '*'));
  });
  test('ask beforehand, and may send what they ask for', async () => {
    const headers = {
      origin: 'https://a.example',
      'access-control-request-headers': 'authorization,x-a',
    };
    for (const url of [echo, echo.replace(/hi_\w+.*$/, 'resume_none/resume')]) {
      const answer = await fetch(url, { method: 'OPTIONS', headers });
      expect([answer.status, cors(answer)]).toEqual([200, '*']);
      expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,x-a');
    }
  });
  test('what a component says counts', async () => {
    const own = endpointOf(
      await world.deploy({
        triggers: [respondingTrigger],
        steps: [
          {
            namespace: 'own',
            run: `await $.respond({ status: 200, headers: { 'Access-Control-Allow-Origin': 'https://a.example' }, body: '' });`,
          },
        ],
      }),
    );
    expect(cors(await fetch(own))).toBe('https://a.example');
  });
});

describe('heads', () => {
  const path = () => new URL(echo).pathname;
  test('of HTTP/1.0, without a host or with a broken one (P7.54)', async () => {
    for (const lines of [
      [`GET ${path()} HTTP/1.0`],
      [`GET ${path()} HTTP/1.1`, 'Host:', 'Connection: close'],
      [`GET ${path()} HTTP/1.1`, 'Host: a b', 'Connection: close'],
    ]) {
      const { event } = await raw(lines);
      expect(new URL(event.url)).toMatchObject({ host: new URL(echo).host, pathname: path() });
    }
  });
  test('two slashes', async () => {
    const { event } = await raw([
      `GET /${path()} HTTP/1.1`,
      'Host: a.example',
      'Connection: close',
    ]);
    expect(event.url).toBe(`http://a.example${path()}`);
  });
  test('headers that come several times (P7.6)', async () => {
    const { event } = await raw([
      `GET ${path()} HTTP/1.1`,
      'Host: a.example',
      'Connection: close',
      'User-Agent: a',
      'User-Agent: b',
      'Referer: r1',
      'Referer: r2',
      'X-A: 1',
      'X-a: 2',
      'Authorization: x',
      'Authorization: y',
      'Cookie: a=1',
      'Cookie: b=2',
      '__proto__: p',
    ]);
    expect(event.headers).toMatchObject({
      'user-agent': 'a, b',
      referer: 'r1, r2',
      authorization: 'x, y',
      'x-a': '1, 2',
      cookie: 'a=1; b=2',
    });
    expect(Object.keys(event.headers)).toContain('__proto__');
  });
  test('of a bearer token in any case (P7.57)', async () => {
    const guarded = endpointOf(
      await world.deploy({
        ...echoing,
        triggers: [
          { uses: '$.interface.http', props: { auth: { type: 'token', token: 's3cret' } } },
        ],
      }),
    );
    const status = async (authorization: string) =>
      (await fetch(guarded, { headers: { authorization } })).status;
    for (const good of [
      'Bearer s3cret',
      'bearer s3cret',
      'BEARER s3cret',
      'Bearer  s3cret',
      'Bearer\ts3cret ',
    ])
      expect([good, await status(good)]).toEqual([good, 200]);
    for (const bad of [
      'Bearer S3CRET',
      'Bearers3cret',
      'Basic s3cret',
      's3cret',
      'Bearer s3cret x',
    ])
      expect([bad, await status(bad)]).toEqual([bad, 401]);
  });
  test('of a bearer token, which nobody sees afterwards (P25.113)', async () => {
    const workflow = await world.deploy({
      ...echoing,
      triggers: [{ uses: '$.interface.http', props: { auth: { type: 'token', token: 's3cret' } } }],
    });
    const headers = { authorization: 'Bearer s3cret', 'x-other': 'kept' };
    expect((await fetch(endpointOf(workflow), { headers })).status).toBe(200);
    const [ended] = await world.allEnded(workflow, 1);
    const text = JSON.stringify(await world.execution(ended!.id));
    expect(text).toContain('kept');
    expect(text).not.toContain('s3cret');
  });
  test('of a tunnel on this machine (P7.56)', async () => {
    const event = await sent('', {
      forwarded: 'for="[2001:db8::1]:443";proto=https;host=t.example',
    });
    expect(event).toMatchObject({ client_ip: '2001:db8::1', url: `https://t.example${path()}` });
    const other = await sent('', { 'x-forwarded-for': 'unknown, 1.2.3.4:51008' });
    expect(other.client_ip).toBe('1.2.3.4');
  });
});

test('of a proxy that is trusted (P7.56)', async () => {
  const proxied = new WorkflowWorld(['--trust-proxy', 'loopback'], atEndOfSuite());
  await proxied.open();
  const url = endpointOf(await proxied.deploy(echoing));
  const ask = async (headers: Record<string, string>) =>
    (await (await fetch(url, { headers })).json()) as Event;
  expect(
    await ask({
      'x-forwarded-for': '1.2.3.4:51008',
      'x-forwarded-proto': 'https,http',
      'x-forwarded-host': 't.example',
    }),
  ).toMatchObject({ client_ip: '1.2.3.4', url: `https://t.example${new URL(url).pathname}` });
  expect((await ask({ 'x-forwarded-proto': 'HTTPS' })).url).toMatch(/^https:/);
});

describe('a resume URL takes what a trigger takes (P25.44)', () => {
  let suspending: Workflow;
  const suspended = async (): Promise<{ id: string; url: string }> => {
    suspending ??= await world.deploy({
      steps: [
        { namespace: 'wait', run: `return $.flow.suspend(60_000).resume_url` },
        { namespace: 'note', run: `return steps.wait.$resume_data` },
      ],
    });
    const { id } = await world.run(suspending);
    const url = stepOf(await world.execution(id), 'wait').return_value as string;
    return { id, url };
  };
  const resumed = async (body: string | Buffer, headers: Record<string, string>) => {
    const { id, url } = await suspended();
    const answer = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(body)),
      headers,
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    return stepOf(await world.ended(id), 'note').return_value as { body: unknown };
  };
  const json = { 'content-type': 'application/json' };
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('%s', async (encoding, encode) => {
    const data = await resumed(encode(Buffer.from('{"a":1}')), {
      ...json,
      'content-encoding': encoding,
    });
    expect(data).toMatchObject({ body: { a: 1 }, bodyRaw: '{"a":1}' });
  });
  test('an upload', async () => {
    const data = await resumed('x'.repeat(600_000), { 'x-pd-upload-body': '1' });
    const { raw_body_url: url } = data.body as { raw_body_url: string };
    expect((await (await fetch(url)).text()).length).toBe(600_000);
  });
  test('a charset', async () => {
    const data = await resumed('city=K%F6ln', {
      'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1',
    });
    expect(data.body).toEqual({ city: 'Köln' });
  });
  test('what does not decode is refused, and the pause goes on', async () => {
    const { id, url } = await suspended();
    const headers = { ...json, 'content-encoding': 'gzip' };
    const answer = await fetch(url, { method: 'POST', body: 'no gzip', headers });
    expect(answer.status).toBe(400);
    expect((await world.execution(id)).status).toBe('paused');
    await world.cancel(id);
  });
});
