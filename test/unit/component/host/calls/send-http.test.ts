import { expect, test } from 'vitest';
import { readSendHttp } from '../../../../../src/component/host/calls/send-http.ts';

test.for<[config: object, sent: object]>([
  [{ url: 'http://a/x' }, { method: 'GET', url: 'http://a/x', headers: {}, body: undefined }],
  [{ url: 'http://a/?p=0', params: { p: 1, q: null } }, { url: 'http://a/?p=0&p=1' }],
  [
    { method: 'post', url: 'http://a/', data: { a: [1] } },
    { method: 'POST', body: '{"a":[1]}', headers: { 'content-type': 'application/json' } },
  ],
  [
    { method: 'PUT', url: 'http://a/', data: [1], headers: { 'Content-Type': 'text/x', X: 1 } },
    { body: '[1]', headers: { 'content-type': 'text/x', x: '1' } },
  ],
  [
    { url: 'http://a/', data: 'text' },
    { body: 'text', headers: {} },
  ],
  [
    { url: 'http://a/', auth: { username: 'u', password: 'p' } },
    { headers: { authorization: `Basic ${btoa('u:p')}` } },
  ],
  [
    { url: 'http://a/', auth: { username: 'u' }, headers: { Authorization: 'own' } },
    { headers: { authorization: 'own' } },
  ],
])('%o', ([config, sent]) => {
  expect(readSendHttp(config)).toMatchObject(sent);
});

test.for<[unknown, string]>([
  [undefined, 'url must be'],
  [{ url: '/relative' }, 'url must be'],
  [{ url: 'http://a', method: 'STEAL' }, 'method must be one of'],
])('%o is refused as the platform refuses it', ([config, why]) => {
  expect(() => readSendHttp(config)).toThrow(`$send.http: invalid value: ${why}`);
});
