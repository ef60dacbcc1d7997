import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { conformanceWorld, endpointOf } from './world.ts';

/** What triggers a run, and what its caller is answered (P7, P8). */
const world = conformanceWorld();

const answering = (run: string, more = '') => `export default {
  name: 'Answers', props: { http: { type: '$.interface.http', customResponse: true } }, ${more}
  async run(event) { ${run} } }`;

describe('without customResponse', () => {
  test('P7.22 200 with the default page, even if run throws or still runs', async () => {
    const source =
      await world.deploy(`export default { name: 'Default answer', props: { http: '$.interface.http' },
      async run({ query, bodyRaw }) {
        this.http.respond({ status: 418, body: 'not asked for' });
        if (query.throw) throw new Error('boom');
        if (query.slow) await new Promise((resolve) => setTimeout(resolve, 30_000));
        this.$emit(bodyRaw);
      } }`);
    const endpoint = endpointOf(source);
    for (const url of [endpoint, `${endpoint}/any/path?throw=1`, `${endpoint}?slow=1`]) {
      const response = await fetch(url, { method: 'PUT', body: 'x' });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(await response.text()).toContain('<b>Success!</b>');
    }
    expect(await world.eventually(source, 1)).toMatchObject([{ event: 'x' }]);
    const thrown = await until('the error', async () => {
      const [error] = await world.logs(source, 'error');
      return error;
    });
    expect(thrown).toContain('boom');
  });
});

describe('with customResponse', () => {
  test('P7.25 run that never responds: 400, and 400 when it throws before', async () => {
    const source = await world.deploy(
      answering(`if (event.query.throw) throw new Error('no'); this.$emit('ran');`),
    );
    const endpoint = endpointOf(source);
    for (const url of [endpoint, `${endpoint}?throw=1`]) {
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([
        400,
        'No respond() was called by the source.\n',
      ]);
    }
    // As an HTTP status cannot tell who is to blame, the log does.
    expect((await world.logs(source, 'error'))[0]).toContain('no');
  });

  test('P7.32 the answer leaves when respond is called, not when run ends', async () => {
    const source = await world.deploy(
      answering(
        `this.http.respond({ status: 201 }); await new Promise((resolve) => setTimeout(resolve, 30_000));`,
      ),
    );
    expect((await fetch(endpointOf(source))).status).toBe(201);
  });

  describe('P7.27 what respond takes', () => {
    let source: Source | undefined;
    const ask = async (given: string) => {
      source ??= await world.deploy(
        answering('this.http.respond(new Function("event", "return " + event.bodyRaw)(event));'),
      );
      const response = await fetch(endpointOf(source), { method: 'POST', body: given });
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        x: response.headers.get('x'),
        body: bytes.toString('latin1'),
      };
    };
    const nothing = { status: 200, type: null, x: null, body: '' };

    test.for([
      [
        'a Buffer',
        '{ status: 200, body: Buffer.from([0, 255, 128]) }',
        { body: '\u0000\u00ff\u0080' },
      ],
      [
        'an object',
        '{ status: 201, body: { a: [1] } }',
        { status: 201, body: '{"a":[1]}', type: 'application/json' },
      ],
      [
        'an object with a content type',
        '{ body: { a: 1 }, headers: { "Content-Type": "application/hal+json" } }',
        { body: '{"a":1}', type: 'application/hal+json' },
      ],
      [
        'text',
        '{ body: "<b>", headers: { "content-type": "text/html" } }',
        { body: '<b>', type: 'text/html' },
      ],
      [
        'headers with undefined',
        '{ headers: { "content-type": event.headers["Content-Type"], x: 7, y: undefined } }',
        { x: '7' },
      ],
      ['a status as text', '{ status: "204" }', { status: 204 }],
      ['no status', '{ statusCode: 500, body: "b" }', { body: 'b' }],
      ['a number', '{ body: 42 }', { body: '42' }],
      ['nothing', '', {}],
    ] as const)('P7.27 %s', async ([, given, expected]) => {
      expect(await ask(given)).toEqual({ ...nothing, ...expected });
    });
  });

  test('P7.32 respond works when it is taken off its object, once', async () => {
    const source = await world.deploy(
      answering(
        `
      const { http } = this; const { respond } = http; const renamed = this.answer;
      renamed(respond); await respond({ status: 500 }); http.respond({ status: 501 });`,
        `methods: { answer(respond) { respond({ status: 202, body: 'first' }); } },`,
      ),
    );
    const response = await fetch(endpointOf(source));
    expect([response.status, await response.text()]).toEqual([202, 'first']);
  });

  test('P7.33 respond is called without a request that waits: nothing happens', async () => {
    const source = await world.deploy(
      answering(
        `this.http.respond({ status: 200 }); this.$emit('fine');`,
        `hooks: { activate() { this.http.respond({ status: 200 }); } },`,
      ),
    );
    expect(await world.emitted(source)).toEqual(['fine']);
  });
});

describe('what a connection says does not reach the component, nor the other way round', () => {
  test('P7.41 headers that frame the answer are left out of what respond says', async () => {
    const source = await world.deploy(
      answering(`this.http.respond({ status: 201, body: 'four', headers: {
        'Content-Length': 99, 'transfer-encoding': 'chunked', Connection: 'upgrade', upgrade: 'h2c',
        'keep-alive': 'timeout=1', TRAILER: 'x-sum', te: 'trailers', 'proxy-connection': 'close', 'x-own': 'yes' } });`),
    );
    const endpoint = endpointOf(source);
    // Twice: the connection goes on.
    for (const _ of [1, 2]) {
      const response = await fetch(endpoint);
      expect([response.status, await response.text()]).toEqual([201, 'four']);
      expect(response.headers.get('x-own')).toBe('yes');
      expect(response.headers.get('content-length')).toBe('4');
      for (const name of ['transfer-encoding', 'upgrade', 'trailer', 'te', 'proxy-connection']) {
        expect(response.headers.has(name)).toBe(false);
      }
    }
  });

  test('P7.50 the answer names the run of its request, whatever respond says', async () => {
    const answers = await world.deploy(
      answering(`if (event.path === '/silent') return;
        this.http.respond({ status: 201, headers: { 'X-Weir-Invocation': 'inv_0' } });`),
    );
    const takes = await world.deploy(
      `export default { name: 'Takes', props: { http: '$.interface.http' }, run() {} }`,
    );
    const runs = new Set<string>();
    for (const [source, path, headers] of [
      [answers, '/given', {}],
      [answers, '/silent', {}],
      [takes, '/stored', {}],
      [takes, '/recorded', { 'x-pd-notrigger': '1' }],
    ] as const) {
      const response = await fetch(`${endpointOf(source)}${path}`, { headers });
      const id = response.headers.get('x-weir-invocation') ?? '';
      const run = await world.runtime.restData('GET', `/v1/sources/${source.id}/invocations/${id}`);
      expect(run).toMatchObject({ id, request: { method: 'GET', path } });
      runs.add(id);
    }
    expect(runs.size).toBe(4);
  });

  test('P7.51 each cookie of a list is a header of its own', async () => {
    const source = await world.deploy(
      answering(`this.http.respond({ headers: {
        'Set-Cookie': ['a=1; Expires=Sun, 01 Nov 2026 00:00:00 GMT', 'b=2'], 'x-list': ['a', 'b'] } });`),
    );
    const { headers } = await fetch(endpointOf(source));
    expect(headers.getSetCookie()).toEqual(['a=1; Expires=Sun, 01 Nov 2026 00:00:00 GMT', 'b=2']);
    expect(headers.get('x-list')).toBe('a, b');
  });

  /** Sends these lines and a body, ends its half of the connection, and reads what comes. */
  const answerTo = async (
    endpoint: string,
    lines: readonly string[],
    body = '',
  ): Promise<string> => {
    const { hostname, port } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    socket.end(`${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return text(socket);
  };

  test('P7.42 an offer of HTTP/2, as curl --http2 sends it, is passed over', async () => {
    const source = await world.deploy(answering('this.http.respond({ body: event.bodyRaw });'));
    const endpoint = endpointOf(source);
    const offer = [
      `POST ${new URL(endpoint).pathname} HTTP/1.1`,
      'host: x',
      'connection: Upgrade, HTTP2-Settings',
      'upgrade: h2c',
      'http2-settings: AAMAAABkAAQAoAAAAAIAAAAA',
    ];
    expect(await answerTo(endpoint, offer, 'hello')).toMatch(/^HTTP\/1\.1 200 [^]*hello$/);
  });

  test('P7.43 who has ended their half of the connection are answered, P7.44 absolute targets work', async () => {
    const source = await world.deploy(
      answering(`await new Promise((resolve) => setTimeout(resolve, 300));
        this.http.respond({ body: 'late ' + event.url });`),
    );
    const endpoint = endpointOf(source);
    const url = `http://a.example${new URL(endpoint).pathname}/x`;
    const said = await answerTo(endpoint, [`GET ${url} HTTP/1.1`, 'host: b.example']);
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(said).toContain(`late ${url}`);
  });
});

test('P7.2 the event of a request: method, path, query, headers in lower case, bodyRaw, body', async () => {
  const source = await world.deploy(
    `export default { name: 'Echo', props: { http: '$.interface.http' }, run({ headers, ...event }) { this.$emit({ ...event, header: headers['x-mixed'] }); } }`,
  );
  const endpoint = endpointOf(source);
  const bodyRaw = '{ "a" : 1.0, "ü": "\\u00fc" }';
  await fetch(`${endpoint}/a%20b/c?q=1&q=2&e=&p=a+b`, {
    method: 'PATCH',
    body: bodyRaw,
    headers: { 'content-type': 'application/json', 'X-Mixed': 'Value' },
  });
  const [event] = await world.eventually(source, 1);
  expect(event?.event).toMatchObject({
    method: 'PATCH',
    path: '/a%20b/c',
    query: { q: ['1', '2'], e: '', p: 'a b' },
    bodyRaw,
    body: { a: 1, ü: 'ü' },
    header: 'Value',
  });
});

test('P7.12 bodies of other kinds: text, a form, bytes, none; where it was addressed and by whom', async () => {
  const source = await world.deploy(
    `export default { name: 'Bodies', props: { http: '$.interface.http' }, run({ method, body, bodyRaw, url, client_ip }) { this.$emit([method, body === undefined ? 'none' : body, bodyRaw, url, client_ip]); } }`,
  );
  const endpoint = endpointOf(source);
  const sent = async (method: string, type: string, body?: string | Buffer<ArrayBuffer>) => {
    const before = (await world.events(source)).length;
    await fetch(endpoint, { method, headers: { 'content-type': type }, ...(body && { body }) });
    return (await world.eventually(source, before + 1)).at(-1)?.event;
  };
  const from = [endpoint, '127.0.0.1'];
  expect(await sent('POST', 'text/plain', 'ä {"a": 1}')).toEqual([
    'POST',
    'ä {"a": 1}',
    'ä {"a": 1}',
    ...from,
  ]);
  expect(await sent('PUT', 'application/x-www-form-urlencoded', 'a=1&a=2&b=%C3%A4+b')).toEqual([
    'PUT',
    { a: ['1', '2'], b: 'ä b' },
    'a=1&a=2&b=%C3%A4+b',
    ...from,
  ]);
  expect(await sent('POST', 'application/json', '{"half": ')).toEqual([
    'POST',
    '{"half": ',
    '{"half": ',
    ...from,
  ]);
  expect(await sent('POST', 'application/octet-stream', Buffer.from('\u0000\u0001z'))).toEqual([
    'POST',
    '\u0000\u0001z',
    '\u0000\u0001z',
    ...from,
  ]);
  expect(await sent('DELETE', 'application/json')).toEqual(['DELETE', 'none', '', ...from]);
  expect(await sent('HEAD', 'text/plain')).toEqual(['HEAD', 'none', '', ...from]);
});

describe('P7.45 bodies that come compressed', () => {
  const code = `export default { name: 'Unpacks', props: { http: '$.interface.http' },
    run({ body, bodyRaw, bodyBase64 }) { this.$emit([body, bodyRaw, bodyBase64 ?? null]); } }`;
  const json = '{"a":"ä"}';
  const send = (endpoint: string, encoding: string, body: Buffer<ArrayBuffer>) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      body,
    });

  test('are decoded; P7.47 what was received is there byte for byte, also for a replay', async () => {
    const source = await world.deploy(code);
    const endpoint = endpointOf(source);
    const packed = {
      gzip: gzipSync(json),
      deflate: deflateSync(json),
      br: brotliCompressSync(json),
    };
    const expected: unknown[] = [];
    for (const [encoding, body] of Object.entries(packed)) {
      expect((await send(endpoint, encoding, body)).status).toBe(200);
      expected.push([{ a: 'ä' }, json, body.toString('base64')]);
      await world.eventually(source, expected.length);
    }
    expect((await send(endpoint, 'utf-8', Buffer.from(json))).status).toBe(200);
    expected.push([{ a: 'ä' }, json, null]);
    const events = await world.eventually(source, 4);
    expect(events.map(({ event }) => event)).toEqual(expected);
    const { body } = await world.runtime.rest('GET', `/v1/sources/${source.id}/invocations`);
    const first = (body as { data: { id: string }[] }).data.at(-1)?.id;
    const replay = `/v1/sources/${source.id}/invocations/${first}/replay`;
    await world.runtime.restData('POST', replay, {});
    expect((await world.eventually(source, 5)).at(-1)?.event).toEqual(expected[0]);
  });

  test('are refused when they do not decode, or are too large when they do', async () => {
    const source = await world.deploy(code);
    const endpoint = endpointOf(source);
    const said = async (encoding: string, body: Buffer<ArrayBuffer>) => {
      const response = await send(endpoint, encoding, body);
      return `${response.status} ${await response.text()}`;
    };
    expect(await said('gzip', Buffer.from(json))).toBe(
      '400 The body does not decode as its "content-encoding" header says. Send it as it says, or leave the header out.\n',
    );
    expect(await said('br', brotliCompressSync(Buffer.alloc(100_000_000)))).toBe(
      '413 The body is larger than 512 KB once it is decoded. Send the header "x-pd-upload-body: 1" to pass its URL on instead.\n',
    );
    // The connection and the source go on, and nothing of these has run.
    expect((await send(endpoint, 'gzip', gzipSync(json))).status).toBe(200);
    expect(await world.eventually(source, 1)).toHaveLength(1);
  });
});

test('P7.21 the preflight of a browser is answered for the component, which does not run', async () => {
  const source = await world.deploy(
    answering(`this.$emit(event.method); this.http.respond({ status: 201 });`),
  );
  const preflight = await fetch(endpointOf(source), {
    method: 'OPTIONS',
    headers: { origin: 'https://page.example', 'access-control-request-method': 'PUT' },
  });
  expect(preflight.status).toBe(200);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods')).toBe(
    'GET,HEAD,PUT,PATCH,POST,DELETE',
  );
  expect((await fetch(endpointOf(source), { method: 'PUT' })).status).toBe(201);
  expect((await world.eventually(source, 1)).map(({ event }) => event)).toEqual(['PUT']);
});

describe('a timer', () => {
  test('P8.1 run gets seconds, not ms, and interval_seconds as configured', async () => {
    const source = await world.deploy(
      `export default { name: 'Ticks', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } } }, run(event) { this.$emit({ event, timer: this.timer }); } }`,
      { configured_props: { timer: { intervalSeconds: 1 } } },
    );
    expect(source.configured_props).toEqual({ timer: { cron: null, interval_seconds: 1 } });
    const [tick] = await world.eventually(source, 1);
    expect(tick?.event).toMatchObject({
      event: { timestamp: expect.any(Number) as number, interval_seconds: 1 },
      timer: { type: '$.interface.timer', intervalSeconds: 1 },
    });
    const { timestamp } =
      (tick?.event as { event: { timestamp: number } } | undefined)?.event ?? {};
    expect(Number.isInteger(timestamp)).toBe(true);
    expect(Math.abs((timestamp ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    await world.runtime.restData('PUT', `/v1/sources/${source.id}`, { active: false });
  });

  test('P8.2 a cron run has cron and no interval_seconds; a schedule changed in code changes nothing', async () => {
    const code = (cron: string) =>
      `export default { name: 'Cron', props: { timer: { type: '$.interface.timer', default: { cron: '${cron}' } } }, run(event) { this.$emit(event); } }`;
    const source = await world.deploy(code('* * * * * *'));
    const [tick] = await world.eventually(source, 1);
    expect(tick?.event).toEqual({ timestamp: expect.any(Number) as number, cron: '* * * * * *' });
    const updated = await world.runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, {
      component_path: await world.file(code('0 0 1 1 *')),
    });
    expect(updated.configured_props).toMatchObject({ timer: { cron: '* * * * * *' } });
    await world.runtime.restData('PUT', `/v1/sources/${source.id}`, { active: false });
  });

  test('P1.9 a source without run emits what its timer gives it', async () => {
    const source = await world.deploy(
      `export default { name: 'Schedule', version: '0.0.1', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } } }`,
    );
    const [tick] = await world.eventually(source, 1);
    expect(tick?.event).toEqual({ timestamp: expect.any(Number) as number, interval_seconds: 1 });
    await world.runtime.restData('PUT', `/v1/sources/${source.id}`, { active: false });
  });
});
