import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, Unreadable } from '../../../src/protocol/message-pack/decode.ts';
import { deepest, encode } from '../../../src/protocol/message-pack/encode.ts';
import { holds } from '../../support/holds.ts';
import { plainValue } from '../../support/plain-value.ts';

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const arrived = (value: unknown): unknown => decode(encode(value));
const nested = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = { in: value };
  return value;
};

test.each<[value: unknown, bytes: string]>([
  [null, 'c0'],
  [undefined, 'd4 00 00'],
  [false, 'c2'],
  [true, 'c3'],
  [0, '00'],
  [127, '7f'],
  [128, 'ce 00000080'],
  [2 ** 32 - 1, 'ce ffffffff'],
  [2 ** 32, 'cb 41f0000000000000'],
  [-0, 'cb 8000000000000000'],
  [-1, 'cb bff0000000000000'],
  [Number.NaN, 'cb 7ff8000000000000'],
  ['', 'a0'],
  ['abc', 'a3 616263'],
  ['x'.repeat(31), `bf ${'78'.repeat(31)}`],
  ['x'.repeat(32), `db 00000020 ${'78'.repeat(32)}`],
  ['é', 'db 00000002 c3a9'],
  ['\ud800', 'c9 00000002 01 00d8'],
  [Buffer.from([1, 2]), 'c6 00000002 0102'],
  [[], '90'],
  [[1, [2]], '92 01 91 02'],
  [Array.from({ length: 16 }, () => null), `dd 00000010 ${'c0'.repeat(16)}`],
  [{}, '80'],
  [{ a: 1, é: null }, '82 a161 01 db00000002c3a9 c0'],
])('%j is one sequence of bytes, and back', (value, bytes) => {
  expect(encode(value).toString('hex')).toBe(bytes.replaceAll(' ', ''));
  expect(decode(hex(bytes))).toStrictEqual(value);
});

test('every value comes out as it went in', async () => {
  await holds(
    fc.property(plainValue, (value) => {
      expect(isDeepStrictEqual(arrived(value), value)).toBe(true);
    }),
    3000,
  );
});

test.each([4095, 4096, 200_000])('texts and bytes of a length of %d come out whole', (length) => {
  for (const character of ['x', 'é', '漢', '\ud800']) {
    const value = { before: 1, text: character.repeat(length), after: 2 };
    expect(arrived(value)).toStrictEqual(value);
  }
  const value = [Buffer.alloc(length, 7), Array.from({ length }, (_, index) => index)];
  expect(arrived(value)).toStrictEqual(value);
});

test('a short text is read by its bytes alone, whichever was read before it', () => {
  const isReadAs = (bytes: Buffer) =>
    decode(Buffer.concat([Buffer.from([0xa0 | bytes.length]), bytes])) === bytes.toString();
  const wrong: string[] = [];
  for (let first = 0; first < 256; first += 1) {
    for (let second = 0; second < 256; second += 1) {
      const text = Buffer.from(String.fromCharCode(first, second));
      // The second has as many bytes as the first has characters, the third is a beginning.
      for (const bytes of [text, Buffer.from([first, second]), Buffer.from([first])]) {
        if (!isReadAs(bytes)) wrong.push(bytes.toString('hex'));
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('what is written is whole wherever the memory for it has to grow', () => {
  for (let length = 64 * 1024 - 20; length < 64 * 1024; length += 1) {
    // So much is not kept: the next begins with 64 KB.
    encode(Buffer.alloc(2 ** 21));
    const value = [Buffer.alloc(length), true, 'text', 1.5, 'é', 1000];
    expect(isDeepStrictEqual(arrived(value), value)).toBe(true);
  }
});

test('a name of every object is a name like others', () => {
  const value = Object.fromEntries(
    ['__proto__', 'constructor', 'toString'].map((name) => [name, { polluted: true }]),
  );
  const read = arrived(value) as object;
  expect(Object.keys(read)).toEqual(Object.keys(value));
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect('polluted' in read).toBe(false);
});

test('bytes are those of the message, not a copy', () => {
  const bytes = encode([Buffer.from('abc')]);
  const [read] = decode(bytes) as [Buffer];
  expect([read.toString(), read.buffer]).toEqual(['abc', bytes.buffer]);
});

test('a hole is undefined, a record without a prototype one like others, and of others none', () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 });
  const inherited = Object.defineProperty({ own: 1 }, 'hidden', { value: 1 });
  // oxlint-disable-next-line no-sparse-arrays
  expect(arrived([[1, , 2], bare, inherited])).toStrictEqual([
    [1, undefined, 2],
    { a: 1 },
    { own: 1 },
  ]);
});

const cycle: unknown[] = [];
cycle.push([cycle]);

test.each<[string, unknown, RegExp]>([
  ['a bigint', 1n, /^TypeError: A bigint cannot be sent/],
  ['a function', () => 1, /^TypeError: A function cannot/],
  ['a symbol', Symbol('s'), /^TypeError: A symbol cannot/],
  ['a date', new Date(0), /^TypeError: An object of a class cannot/],
  ['a map', new Map(), /^TypeError: An object of a class cannot/],
  ['an error', new Error('x'), /^TypeError: An object of a class cannot/],
  ['numbers of eight bytes', new Float64Array(1), /^TypeError: An object of a class cannot/],
  ['what contains itself', cycle, /^RangeError: A value nested more than 1000 levels deep/],
  ['what is nested too deeply', nested(deepest + 1), /^RangeError: A value nested more than 1000/],
])('%s is not sent, and the next message is', (_name, value, message) => {
  let error: unknown;
  try {
    encode(value);
  } catch (thrown) {
    error = thrown;
  }
  expect(String(error)).toMatch(message);
  expect(arrived([1])).toEqual([1]);
});

test('what is nested as deeply as may be arrives', () => {
  const value = nested(deepest);
  expect(JSON.stringify(arrived(value))).toBe(JSON.stringify(value));
});

test('messages that are written while one is being written do not mix', () => {
  const inner: Buffer[] = [];
  const value = {
    get a() {
      inner.push(encode('inner'));
      return 'first';
    },
    b: 'second',
  };
  const outer = encode(value, 4);
  const next = encode('next');
  expect([outer.subarray(4), ...inner, next].map((bytes) => decode(bytes))).toEqual([
    { a: 'first', b: 'second' },
    'inner',
    'next',
  ]);
});

describe('what the writer does not write is not read', () => {
  test.each([
    ['nothing', ''],
    ['JSON', Buffer.from('{"q":1}').toString('hex')],
    ['more than one value', 'c0 c0'],
    ['a text that ends before its end', 'a3 6162'],
    ['a text of 4 GB', 'db ffffffff 61'],
    ['bytes of 4 GB', 'c6 ffffffff 61'],
    ['halves of characters of 4 GB', 'c9 ffffffff 01 61'],
    ['a list of 4 billion', 'dd ffffffff c0'],
    ['a map of 4 billion', 'df ffffffff a0 c0'],
    ['a list that lacks the last', '92 c0'],
    ['a map that lacks the last value', '82 a161 c0 a162'],
    ['a name that is a number', '81 01 c0'],
    ['a name that is a list', '81 90 c0'],
    ['a name that is undefined', '81 d40000 c0'],
    ['an extension that there is none of', 'c9 00000002 02 6162'],
    ['an undefined that says something', 'd4 00 01'],
    ['a record of others’ (msgpackr)', 'd4 72 40 91 a161 01'],
    ['a reference (msgpackr)', 'd6 69 00000001'],
    ['lists in each other without end', '91'.repeat(100_000) + 'c0'],
    ['maps in each other without end', '81a0'.repeat(100_000) + 'c0'],
  ])('%s', (_name, bytes) => {
    expect(() => decode(hex(bytes))).toThrow(Unreadable);
  });

  test('a value of another form', () => {
    const others = [0xc1, 0xc4, 0xc5, 0xc7, 0xc8, 0xca, 0xcc, 0xcd, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3];
    others.push(0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdc, 0xde);
    for (let first = 0xe0; first <= 0xff; first += 1) others.push(first);
    for (const first of others) {
      expect(() => decode(Buffer.concat([Buffer.from([first]), Buffer.alloc(40)]))).toThrow(
        Unreadable,
      );
    }
  });

  test('whatever is cut off, or has bytes after it', async () => {
    await holds(
      fc.property(plainValue, fc.nat(), (value, place) => {
        const bytes = encode(value);
        expect(() => decode(bytes.subarray(0, place % bytes.length))).toThrow(Unreadable);
        expect(() => decode(Buffer.concat([bytes, bytes]))).toThrow(Unreadable);
      }),
      1000,
    );
  });

  test('any bytes are a value that is theirs alone, or none', async () => {
    const first = fc.constantFrom(
      0x81,
      0x82,
      0x91,
      0x93,
      0xa1,
      0xa0,
      0xc0,
      0xdb,
      0xdd,
      0xdf,
      0xc6,
      0xd4,
    );
    const byte = fc.oneof(fc.nat({ max: 255 }), first, fc.constantFrom(0, 1, 2));
    await holds(
      fc.property(fc.array(byte, { maxLength: 40 }), (bytes) => {
        const given = Buffer.from(bytes);
        let value: unknown;
        try {
          value = decode(given);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
          return;
        }
        expect(isDeepStrictEqual(arrived(value), value)).toBe(true);
      }),
      5000,
    );
  });
});

test('so many values may be in it, and no more, however few bytes they take', () => {
  const lists = Buffer.concat([hex('dd 000003e8'), Buffer.alloc(1000, 0x90)]);
  expect(decode(lists, 2001)).toHaveLength(1000);
  expect(() => decode(lists, 2000)).toThrow(Unreadable);
  expect(() => decode(Buffer.from('9f'.repeat(1000) + 'c0'.repeat(15_000), 'hex'), 10_000)).toThrow(
    Unreadable,
  );
});
