import { describe, expect, test } from 'vitest';
import { itemSize, type FromHost } from '../../../../src/protocol/host.ts';
import { decode } from '../../../../src/protocol/message-pack/decode.ts';
import { encode } from '../../../../src/protocol/message-pack/encode.ts';
import {
  asBatch,
  nameOfMessage,
  sizeOfMessage,
  workOf,
} from '../../../../src/runtime/processes/messages.ts';

const emit = { event: '{}', at: 1 };
const line = { at: 1, level: 'info', text: 'abc' } as const;
const error = { name: 'Error', message: 'x' };
const response = { status: 200, headers: { 'x-a': 'b' }, body: '' };
const file = { of: 'file', filename: 'a', contentType: 'text/plain', content: '/a' } as const;
const set = { op: 'set', key: 'k', json: '1', ttl: null } as const;

const good: readonly FromHost[] = [
  { t: 'ready' },
  { t: 'attached' },
  { t: 'loaded', definition: '{}' },
  { t: 'loadFailed', error: { ...error, stack: 's', configuration: true } },
  { t: 'progress', n: 0, logs: [line] },
  { t: 'progress', n: 3 },
  { t: 'done', n: 1, error, result: '1', db: [{ prop: 'db', key: 'k' }] },
  { t: 'done', n: 1, emits: [{ ...emit, id: 0, name: 'c', summary: 's', ts: 1.5, deliveryTs: 2 }] },
  { t: 'done', n: 1, emits: [{ ...emit, id: Infinity }], exports: [{ name: 'a', json: '1' }] },
  { t: 'respond', n: 1, response },
  { t: 'respond', n: 1, response: { ...response, body: new Uint8Array(2) } },
  { t: 'respond', n: 1, response: { ...response, headers: { 'Set-Cookie': ['a=1', 'b=2'] } } },
  { t: 'refreshTimeout', n: 1 },
  { t: 'request', id: 1, request: { of: 'respond', n: 1, response } },
  { t: 'request', id: 1, request: { of: 'workflow', id: 'p_1' } },
  { t: 'inspector', url: null },
  { t: 'pending', isPending: true },
  { t: 'inspector', url: 'ws://127.0.0.1:41000/0a1b-2c' },
  { t: 'request', id: 1, request: file },
  { t: 'request', id: 1, request: { of: 'data_store', store: 's', call: set } },
  { t: 'request', id: 1, request: { of: 'data_store', store: 's', call: { op: 'keys' } } },
  { t: 'ending', n: null, cause: 'exit', message: 'called process.exit()' },
];

test.each(good.map((message) => [message.t, message]))('a good "%s" passes', (_t, message) => {
  expect(sizeOfMessage(decode(encode(message)))).toBeTypeOf('number');
});

test('the size is that of the text, and something for each item', () => {
  const produced = { emits: [{ ...emit, summary: 'four' }, emit], logs: [line] };
  expect(sizeOfMessage({ t: 'done', n: 1, ...produced })).toBe(3 * itemSize + 2 + 4 + 2 + 3);
  expect(sizeOfMessage({ t: 'ready' })).toBe(0);
});

const done = (produced: object): unknown => ({ t: 'done', n: 1, ...produced });
const respond = (parts: object): unknown => ({
  t: 'respond',
  n: 1,
  response: { ...response, ...parts },
});
const request = (asked: unknown): unknown => ({ t: 'request', id: 1, request: asked });
const holes: unknown[] = [];
holes.length = 2 ** 32 - 1;
const cyclic: Record<string, unknown> = { ...error };
cyclic['self'] = cyclic;

describe('what is not as it should be is refused', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'done'],
    ['a list', [1]],
    ['an unknown kind', { t: 'halt' }],
    ['a kind of every object', { t: 'constructor' }],
    ['a kind that is none', { t: { toString: null } }],
    ['done without a number', { t: 'done' }],
    ['done with a half one', { t: 'done', n: 0.5 }],
    ['a result that is not text', done({ result: {} })],
    ['emits that are no list', done({ emits: { length: 1 } })],
    ['an emit that is none', done({ emits: [null] })],
    ['a list of holes', done({ emits: holes })],
    ['an event that is an object', done({ emits: [{ ...emit, event: {} }] })],
    ['an emit without a time', done({ emits: [{ event: '1' }] })],
    ['an emit in no year', done({ emits: [{ ...emit, at: 1e300 }] })],
    ['a ts that is no number', done({ emits: [{ ...emit, ts: Number.NaN }] })],
    ['an id that is no number', done({ emits: [{ ...emit, id: Number.NaN }] })],
    ['an id that is an object', done({ emits: [{ ...emit, id: {} }] })],
    ['a channel that is a list', done({ emits: [{ ...emit, name: ['$errors'] }] })],
    ['a summary that is a number', done({ emits: [{ ...emit, summary: 1 }] })],
    ['a db write without a key', done({ db: [{ prop: 'db', json: '1' }] })],
    ['a db value that is one', done({ db: [{ prop: 'db', key: 'k', json: 1 }] })],
    ['a line without a level', done({ logs: [{ at: 1, text: '' }] })],
    ['a line at no time', done({ logs: [{ ...line, at: Number.NaN }] })],
    ['an export that is not text', done({ exports: [{ name: 'a', json: {} }] })],
    ['an error that is a text', done({ error: 'x' })],
    ['an error with a cycle', done({ error: cyclic })],
    ['an error without end', done({ error: { ...error, stack: 'x'.repeat(1e6) } })],
    ['a status that is a text', respond({ status: '200' })],
    ['a status of 1000', respond({ status: 1000 })],
    ['a status of 200.5', respond({ status: 200.5 })],
    ['headers that are none', respond({ headers: null })],
    ['headers that are a date', respond({ headers: new Date(0) })],
    ['headers that are a map', respond({ headers: new Map([['x-a', 'b']]) })],
    ['a header with a line break', respond({ headers: { 'x-a': 'b\r\nx-c: d' } })],
    ['a header name with a space', respond({ headers: { 'x a': 'b' } })],
    ['a header that is a number', respond({ headers: { 'x-a': 1 } })],
    ['a list of another header than set-cookie', respond({ headers: { 'x-a': ['b'] } })],
    ['a list of cookies with holes', respond({ headers: { 'set-cookie': holes } })],
    ['a cookie with a line break', respond({ headers: { 'set-cookie': ['a\r\nb: c'] } })],
    ['a body that is an object', respond({ body: {} })],
    ['no body', respond({ body: undefined })],
    ['an inspector elsewhere', { t: 'inspector', url: 'ws://example.test:1/a' }],
    ['a request for nothing', request(null)],
    ['a request of no kind', request({ of: 'secret' })],
    ['a file with a broken type', request({ ...file, contentType: 'a\nb' })],
    ['a file that is a number', request({ ...file, content: 1 })],
    ['an unknown call', request({ of: 'data_store', store: 's', call: { op: 'drop' } })],
    [
      'a time to live without end',
      request({ of: 'data_store', store: 's', call: { ...set, ttl: Infinity } }),
    ],
    ['a value that is one', request({ of: 'data_store', store: 's', call: { ...set, json: 1 } })],
    ['an end of no cause', { t: 'ending', n: 1, cause: 'fun', message: '' }],
  ])('%s', (_name, message) => {
    expect(sizeOfMessage(message)).toBeUndefined();
    expect(nameOfMessage(message)).toMatch(/^a message /);
  });

  test('a batch that is none', () => {
    const others = [
      undefined,
      1,
      {},
      { q: 1 },
      { q: '1', m: [] },
      { q: -1, m: [] },
      { q: 1, m: {} },
    ];
    expect(others.map(asBatch)).toEqual(others.map(() => undefined));
    expect(asBatch({ q: 1, m: [] })).toEqual({ q: 1, m: [] });
  });
});

test('a bad message is told by its kind and its work where they are known', () => {
  expect(nameOfMessage({ t: 'done', n: 'x' })).toBe('a message "done" of the wrong form');
  expect(nameOfMessage({ t: 'halt' })).toBe('a message of no kind that there is');
  expect([workOf({ t: 'done', n: 4 }), workOf({ n: 'x' }), workOf(null)]).toEqual([4, null, null]);
});

test('the check of the usual message costs next to nothing', () => {
  const usual = { t: 'done', n: 1, emits: [{ ...emit, event: '{"a":"b"}', id: 'x' }] };
  const rounds = 200_000;
  for (let i = 0; i < rounds; i += 1) sizeOfMessage(usual);
  const before = performance.now();
  for (let i = 0; i < rounds; i += 1) sizeOfMessage(usual);
  const microseconds = ((performance.now() - before) / rounds) * 1000;
  // A third of it on a quiet machine; other programs run beside the tests.
  expect(microseconds).toBeLessThan(5);
});
