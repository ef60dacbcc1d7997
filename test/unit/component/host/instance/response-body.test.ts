import { PassThrough, Readable } from 'node:stream';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { responseBody } from '../../../../../src/component/host/instance/response-body.ts';

async function sent(
  body: unknown,
): Promise<{ text: string; type: string | undefined; warned: string[] }> {
  const warned: string[] = [];
  const { content, type } = await responseBody(body, { warnOnce: (text) => warned.push(text) });
  return { text: Buffer.from(content as string).toString(), type, warned };
}
function* parts() {
  yield 'a';
  yield Buffer.from('bc');
}
function oldStream(): EventEmitter {
  const stream = Object.assign(new EventEmitter(), {
    pipe: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  });
  setImmediate(() => {
    stream.emit('data', 'a');
    stream.emit('data', 'bc');
    stream.emit('end');
  });
  return stream;
}
class Money {
  readonly #cents = 1;
  get cents() {
    return this.#cents;
  }
}

test.each<[string, () => unknown, string, string | undefined]>([
  ['a text', () => 'abc', 'abc', undefined],
  ['a Buffer', () => Buffer.from('abc'), 'abc', undefined],
  ['a part of a Buffer', () => Buffer.from('xabcx').subarray(1, 4), 'abc', undefined],
  ['a DataView', () => new DataView(new Uint8Array([120, 97, 98, 99]).buffer, 1), 'abc', undefined],
  ['an ArrayBuffer', () => new Uint8Array([97, 98, 99]).buffer, 'abc', undefined],
  ['a Readable', () => Readable.from(['a', 'bc']), 'abc', undefined],
  ['a Readable of bytes', () => Readable.from([Buffer.from('abc')]), 'abc', undefined],
  ['a PassThrough', () => Readable.from(['abc']).pipe(new PassThrough()), 'abc', undefined],
  ['a stream of the web', () => new Blob(['abc']).stream(), 'abc', undefined],
  ['a stream of old', oldStream, 'abc', undefined],
  ['a Blob', () => new Blob(['abc']), 'abc', undefined],
  ['a Blob with a type', () => new Blob(['abc'], { type: 'text/csv' }), 'abc', 'text/csv'],
  ['a File', () => new File(['abc'], 'a.txt'), 'abc', undefined],
  ['an answer of fetch', () => new Response('abc'), 'abc', 'text/plain;charset=UTF-8'],
  ['a promise of one', () => Promise.resolve(new Response('abc').body), 'abc', undefined],
  ['a generator', parts, 'abc', undefined],
  [
    'URLSearchParams',
    () => new URLSearchParams({ a: '1 2' }),
    'a=1+2',
    'application/x-www-form-urlencoded;charset=UTF-8',
  ],
  ['a Map', () => new Map([['a', 1]]), '{"a":1}', 'application/json'],
  ['a Set', () => new Set([1, 2]), '[1,2]', 'application/json'],
  ['an object', () => ({ a: 1 }), '{"a":1}', 'application/json'],
  ['an empty object', () => ({}), '{}', 'application/json'],
  ['an object without a prototype', () => Object.create(null) as object, '{}', 'application/json'],
  ['a list', () => [1], '[1]', 'application/json'],
  ['a Date', () => new Date(0), '"1970-01-01T00:00:00.000Z"', 'application/json'],
  ['a number', () => 5, '5', undefined],
  ['nothing', () => null, '', undefined],
])('%s', async (_, body, text, type) => {
  expect(await sent(body())).toEqual({ text, type, warned: [] });
});

test('a form is sent as one', async () => {
  const form = new FormData();
  form.append('a', '1');
  const { text, type } = await sent(form);
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  expect(text).toContain('name="a"');
});

test.each<[string, unknown]>([
  ['Error', new Error('x')],
  ['Money', new Money()],
  ['WeakMap', new WeakMap()],
])('of an %s nothing can be JSON, and the log says so', async (name, body) => {
  const { text, warned } = await sent(body);
  expect(text).toBe('{}');
  expect(warned).toEqual([expect.stringContaining(`nothing of the ${name} that is the body`)]);
});

test('a stream of other things is refused, and one that fails fails', async () => {
  await expect(sent(Readable.from([{ a: 1 }]))).rejects.toThrow('not an object');
  const failing = new Readable({
    read() {
      this.destroy(new Error('gone'));
    },
  });
  await expect(sent(failing)).rejects.toThrow('gone');
});
