/** P13.16: what a redirect carries to another host, and where it may not lead. */
import { expect, test } from 'vitest';
import { redirectedRequest, requireHttpAddress } from '../../../src/protocol/http-redirects.ts';

const headers = {
  authorization: 'Bearer t',
  cookie: 'a=b',
  'x-api-key': 'k',
  'x-acme-token': 't',
  'content-type': 'application/json',
  accept: 'text/plain',
};
const post = { method: 'POST', url: 'http://a.example/x?key=1', headers, body: '{}' };

test.each([
  [307, 'http://a.example/y', true],
  [307, '/y', true],
  [308, 'https://a.example/y', true],
  [307, 'https://a.example:8443/y', false],
  [307, 'http://a.example:8080/y', false],
  [307, '//b.example/y', false],
  [308, 'http://sub.a.example/y', false],
])('%i to %s keeps credentials: %s', (status, location, keeps) => {
  const next = redirectedRequest(post, status, location);
  expect(next).toMatchObject({ method: 'POST', body: '{}' });
  expect(Object.keys(next?.headers ?? {})).toEqual(
    keeps ? Object.keys(headers) : ['content-type', 'accept'],
  );
});

test('from HTTPS to HTTP credentials stay behind', () => {
  const from = { ...post, url: 'https://a.example/x' };
  const next = redirectedRequest(from, 307, 'http://a.example/x');
  expect(Object.keys(next?.headers ?? {})).toEqual(['content-type', 'accept']);
});

test.each([
  [301, 'POST', 'GET'],
  [302, 'PUT', 'PUT'],
  [303, 'DELETE', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [301, 'HEAD', 'HEAD'],
  [302, 'GET', 'GET'],
  [307, 'PATCH', 'PATCH'],
])('%i of %s is followed with %s', (status, method, expected) => {
  const next = redirectedRequest({ ...post, method }, status, '/y');
  expect(next?.method).toBe(expected);
  if (expected === 'GET' && method !== 'GET') {
    expect(next?.body).toBeUndefined();
    expect(next?.headers).not.toHaveProperty('content-type');
  }
});

test.each([200, 204, 300, 304, 305, 404])('%i is an answer, wherever it points', (status) => {
  expect(redirectedRequest(post, status, 'http://b.example/')).toBeUndefined();
});

test.each([
  'file:///etc/passwd',
  'data:text/plain,x',
  'ftp://a.example/',
  'http://u:p@a.example/',
  'http://u@b.example/',
])('%s is refused, as first address and in a redirect', (location) => {
  expect(() => requireHttpAddress(location)).toThrow(/^(?:Requests go|The address)/);
  expect(() => redirectedRequest(post, 302, location)).toThrow(/^(?:Requests go|The address)/);
});

test('what is no address is told', () => {
  expect(() => redirectedRequest(post, 302, 'http://')).toThrow('is not an address');
});
