import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { maskOf } from '../../../src/protocol/mask.ts';

const pem = '-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n';

test.for([
  ['as it is', { A: 's3cret!' }, 'key=s3cret! s3cret!', 'key=[A] [A]'],
  ['within JSON', { A: 'se"cret\\1' }, String.raw`{"k":"se\"cret\\1"}`, '{"k":"[A]"}'],
  ['as console.log shows it', { A: 'se"cret\\1' }, inspect({ k: 'se"cret\\1' }), "{ k: '[A]' }"],
  ['in a URL', { A: 's3cret/&ü' }, 'https://x/?k=s3cret%2F%26%C3%BC', 'https://x/?k=[A]'],
  ['in base64', { A: 's3cret!' }, 'Basic czNjcmV0IQ==', 'Basic [A]'],
  ['the longer of two', { A: 's3cret', B: 's3cret-and-more' }, 's3cret-and-more s3cret', '[B] [A]'],
  ['a prefix is none of it', { A: 's3cret-long' }, 's3cret', 's3cret'],
  ['a short one is not a secret', { A: 'eu', B: '12345' }, 'eu 12345', 'eu 12345'],
  ['one line of several', { A: pem }, 'got MIIEvQIBADAN', 'got [A]'],
  ['all lines', { A: pem }, pem.trim(), '[A]'],
  ['signs of a pattern', { A: '(a+)+$.*[' }, 'x(a+)+$.*[y', 'x[A]y'],
  ['its name may look like a pattern', { $A1: 's3cret$&' }, 's3cret$&', '[$A1]'],
  ['half a surrogate', { A: 's3cret\ud800' }, 's3cret\ud800', '[A]'],
  ['none', {}, 's3cret', 's3cret'],
] as const)('%s', ([, values, text, masked]) => {
  expect(maskOf(values).text(text)).toBe(masked);
});

test('a value of JSON keeps its shape: texts, numbers and names of members are looked at', () => {
  const mask = maskOf({ PIN: '123456', KEY: 'se"cret' });
  const given = {
    a: [123_456, 12, 'x123456'],
    'k se"cret': { b: null, c: true },
    d: '{"k":"se\\"cret"}',
  };
  expect(mask.value(given)).toEqual({
    a: ['[PIN]', 12, 'x[PIN]'],
    'k [KEY]': { b: null, c: true },
    d: '{"k":"[KEY]"}',
  });
});
