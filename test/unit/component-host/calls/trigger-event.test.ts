import { describe, expect, test } from 'vitest';
import { triggerEvent as eventOf } from '../../../../src/component-host/calls/trigger-event.ts';
import type { RuntimeRequest, HttpTrigger, Trigger } from '../../../../src/protocol/host.ts';

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

  test('bytes that are not text become replacement characters in bodyRaw', async () => {
    expect(await triggerEvent(http(Uint8Array.of(0x61, 0xff)))).toMatchObject({
      bodyRaw: 'a\uFFFD',
    });
  });

  test('a body that is part of a bigger buffer is read alone', async () => {
    const pool = Buffer.from('xxBODYxx');
    expect(await triggerEvent(http(pool.subarray(2, 6)))).toMatchObject({ bodyRaw: 'BODY' });
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
