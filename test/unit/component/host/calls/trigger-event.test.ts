import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { triggerEvent as eventOf } from '../../../../../src/component/host/calls/trigger-event.ts';
import type { RuntimeRequest, HttpTrigger, Trigger } from '../../../../../src/protocol/host.ts';

/** The runtime's reply to a request for a file: a URL that contains the file's content. */
const replyTo = (ask: RuntimeRequest): Promise<string> =>
  Promise.resolve(
    ask.of === 'file' ? `http://files/${Buffer.from(ask.content).toString()}` : 'unexpected',
  );
const triggerEvent = (trigger: Trigger): unknown => eventOf(trigger, replyTo);

function http(body: string | Uint8Array, contentType?: string, query = ''): HttpTrigger {
  return {
    kind: 'http',
    prop: 'http',
    method: 'POST',
    url: 'http://h/x',
    path: '/x',
    query,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    clientIp: '::1',
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
}

const boundary = 'multipart/form-data; boundary=B';
const part = (head: string, text: string): string =>
  `--B\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`;

describe('body by content type (P7.8 to P7.13)', () => {
  test.for<[contentType: string | undefined, raw: string, body: unknown]>([
    ['application/json', '{"a":[1]}', { a: [1] }],
    ['Application/JSON ; charset=utf-8', '5', 5],
    ['application/vnd.api+json', '{}', {}],
    ['application/json', '{broken', '{broken'],
    ['application/json', '', undefined],
    ['application/x-www-form-urlencoded', 'a=1&b=x+y%20z&a=2', { a: ['1', '2'], b: 'x y z' }],
    ['application/x-www-form-urlencoded', '{"from":"curl -d"}', '{"from":"curl -d"}'],
    ['application/x-www-form-urlencoded', '{x=1', { '{x': '1' }],
    ['text/plain', '{"a":1}', '{"a":1}'],
    [undefined, 'plain', 'plain'],
    [
      boundary,
      `${part('name="a"', '1')}${part('name="f"; filename="x.txt"\r\ncontent-type: image/png', 'T')}--B--\r\n`,
      { a: '1', f: { url: 'http://files/T', filename: 'x.txt', mimetype: 'image/png' } },
    ],
    [boundary, 'not multipart', 'not multipart'],
  ])('%s %s', async ([contentType, raw, body]) => {
    const event = (await triggerEvent(http(raw, contentType))) as object;
    expect(event).toMatchObject({ bodyRaw: raw, body });
  });

  test('a body that was uploaded is its URL', () => {
    const trigger = { ...http('', 'application/json'), rawBodyUrl: 'http://files/1' };
    expect(triggerEvent(trigger)).toMatchObject({
      bodyRaw: '',
      body: { raw_body_url: 'http://files/1' },
    });
  });

  test('bytes that are not text become replacement characters in bodyRaw, bodyBase64 has them (P7.47)', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const event = triggerEvent(http(all, 'application/octet-stream')) as { bodyBase64: string };
    expect(event).toMatchObject({ bodyRaw: expect.stringContaining('z{|}~\u007F\uFFFD\uFFFD') });
    expect(Buffer.from(event.bodyBase64, 'base64')).toEqual(Buffer.from(all));
  });

  test.for(['', 'text', 'ä€🔑', '\uFEFF{}', 'a real \uFFFD'])(
    'text that holds every byte needs no bodyBase64: %j',
    (raw) => {
      expect(triggerEvent(http(raw))).not.toHaveProperty('bodyBase64');
      expect(triggerEvent(http(raw))).toMatchObject({ bodyRaw: raw });
    },
  );

  test.for([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json', '[broken', '\uFEFF[broken'],
    ['text/plain', 'x', '\uFEFFx'],
  ] as const)('a byte order mark before %s (P7.48)', ([type, raw, body]) => {
    expect(triggerEvent(http(`\uFEFF${raw}`, type))).toMatchObject({
      bodyRaw: `\uFEFF${raw}`,
      body,
    });
  });

  test('a body that is part of a bigger buffer is read alone', async () => {
    const pool = Buffer.from('xxBODYxx');
    expect(await triggerEvent(http(pool.subarray(2, 6)))).toMatchObject({ bodyRaw: 'BODY' });
  });
});

describe('a charset (P7.46)', () => {
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  test.for<[contentType: string, bytes: Buffer, text: string, body: unknown]>([
    ['text/plain; charset=iso-8859-1', Buffer.from('äÿ', 'latin1'), 'äÿ', 'äÿ'],
    ['text/plain;Charset="windows-1252"', Buffer.of(0x80), '€', '€'],
    ['text/plain; charset=shift_jis', Buffer.of(0x83, 0x65), 'テ', 'テ'],
    [
      'application/json; charset=latin1',
      Buffer.from('{"a":"ä"}', 'latin1'),
      '{"a":"ä"}',
      { a: 'ä' },
    ],
    [
      'application/json; charset=utf-16le',
      Buffer.from('{"a":"中"}', 'utf16le'),
      '{"a":"中"}',
      { a: '中' },
    ],
    ['application/json; charset=utf-16', utf16be('\uFEFF[1]'), '[1]', [1]],
    ['application/json', utf16be('\uFEFF[1]'), '[1]', [1]],
    ['text/xml', Buffer.from('\uFEFF<a/>', 'utf16le'), '<a/>', '<a/>'],
    // As many bytes as its UTF-8 has.
    ['text/plain; charset=utf-16le', Buffer.from('a中', 'utf16le'), 'a中', 'a中'],
  ])('%s', ([contentType, bytes, bodyRaw, body]) => {
    expect(triggerEvent(http(bytes, contentType))).toMatchObject({
      bodyRaw,
      body,
      bodyBase64: bytes.toString('base64'),
    });
  });

  test.for(['utf-8', 'UTF8', '"utf-8"', 'nonsense', 'us-ascii'])(
    '%s is what ASCII is in',
    (charset) => {
      const event = triggerEvent(http('{"a":1}', `application/json; charset=${charset}`));
      expect(event).toMatchObject({ body: { a: 1 } });
      expect(event).not.toHaveProperty('bodyBase64');
    },
  );
});

describe('a body that came compressed (P7.45)', () => {
  const coded = (
    encoding: string,
    body: Buffer,
    decodedBytes: number,
    type = 'application/json',
  ) => {
    const trigger = http(body, type);
    return {
      ...trigger,
      headers: { ...trigger.headers, 'content-encoding': encoding },
      decodedBytes,
    };
  };

  test('is decoded, and stays reachable as it was received', async () => {
    const body = gzipSync('{"a":1}');
    expect(await triggerEvent(coded('gzip', body, 7))).toMatchObject({
      bodyRaw: '{"a":1}',
      body: { a: 1 },
      bodyBase64: body.toString('base64'),
      headers: { 'content-encoding': 'gzip' },
    });
  });

  test('is decoded when it is empty, and when it was longer in between', async () => {
    const empty = await triggerEvent(coded('gzip', gzipSync(''), 0));
    expect(empty).toMatchObject({ bodyRaw: '', body: undefined });
    const twice = coded('gzip, gzip', gzipSync(gzipSync('5')), 1);
    expect(await triggerEvent(twice)).toMatchObject({ bodyRaw: '5', body: 5 });
  });

  test('may be a form with files', async () => {
    const form = `${part('name="a"', '1')}--B--\r\n`;
    const trigger = coded('gzip', gzipSync(form), form.length, boundary);
    expect(await triggerEvent(trigger)).toMatchObject({ bodyRaw: form, body: { a: '1' } });
  });

  test('is left as it is when the runtime did not look into it', () => {
    const trigger = { ...http('plain'), headers: { 'content-encoding': 'utf-8' } };
    expect(triggerEvent(trigger)).toMatchObject({ bodyRaw: 'plain', body: 'plain' });
  });
});

test.for<[query: string, fields: object]>([
  ['', {}],
  ['a=1&b=&c', { a: '1', b: '', c: '' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['q=a%20b+c', { q: 'a b c' }],
])('query "%s"', ([query, fields]) => {
  expect(triggerEvent(http('', undefined, query))).toMatchObject({ query: fields });
});

test('names that mean something to JavaScript are fields like others', () => {
  const { query } = triggerEvent(http('', undefined, '__proto__=x&constructor=y')) as {
    query: object;
  };
  expect(Object.entries(query)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
});

test('a timer event has its time in seconds and either an interval or a cron expression', () => {
  const timer = { kind: 'timer', prop: 't', timestamp: 1_700_000_000 } as const;
  expect(triggerEvent({ ...timer, intervalSeconds: 60 })).toEqual({
    timestamp: 1_700_000_000,
    interval_seconds: 60,
  });
  expect(triggerEvent({ ...timer, cron: '* * * * *', timezone: 'UTC' })).toEqual({
    timestamp: 1_700_000_000,
    cron: '* * * * *',
    timezone: 'UTC',
  });
});

test('an emitted event is what run gets; nothing is an empty object', () => {
  expect(triggerEvent({ kind: 'event', json: '{"a":[null]}' })).toEqual({ a: [null] });
  expect(triggerEvent({ kind: 'event', json: '"text"' })).toBe('text');
  expect(triggerEvent({ kind: 'event', json: '' })).toEqual({});
});
