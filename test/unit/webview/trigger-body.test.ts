import { expect, test } from 'vitest';
import type { StoredTrigger } from '../../../src/protocol/catalogue.ts';
import { bodyOf } from '../../../src/webview/shared/trigger-body.ts';

function request(contentType: string | undefined, body: string): StoredTrigger {
  return {
    kind: 'http',
    prop: 'http',
    method: 'POST',
    url: 'http://127.0.0.1/h/hi_1',
    path: '/',
    query: '',
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    client_ip: '127.0.0.1',
    body,
    body_encoding: 'utf8',
    body_bytes: body.length,
    raw_body_url: null,
  };
}

test.each([
  ['JSON', 'application/json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['JSON of a kind', 'application/problem+json', '[1]', [1]],
  ['a form', 'application/x-www-form-urlencoded', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
  [
    'a form with the name of a method',
    'application/x-www-form-urlencoded',
    '__proto__=1',
    JSON.parse('{"__proto__":"1"}') as unknown,
  ],
])('%s is shown as the value that the component gets', (_, type, body, value) => {
  expect(bodyOf(request(type, body))?.value).toEqual(value);
});

test.each([
  ['JSON that is declared a form, as curl does', 'application/x-www-form-urlencoded', '{"a":1}'],
  ['JSON that is declared a text', 'text/plain', '{"a":1}'],
  ['JSON that is declared nothing', undefined, '{"a":1}'],
  ['what is declared JSON and is none', 'application/json', '{"a":'],
  ['nothing', 'application/json', ''],
])('%s is a text to the component, and so no tree', (_, type, body) => {
  expect(bodyOf(request(type, body))).toBeNull();
});
