import { expect, test } from 'vitest';
import { fetchRequest } from '../../../../../src/component/host/instance/http-request.ts';

const url = 'http://api.test/in';
const sentAs = (configured: Record<string, unknown>) => {
  const request = fetchRequest({ url, ...configured });
  return { ...request, headers: Object.fromEntries(request.headers) };
};

test.for<[what: string, configured: Record<string, unknown>, sent: object]>([
  ['nothing but a URL', {}, { url, method: 'GET', headers: {} }],
  [
    'rows with a name that are switched on',
    {
      params: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2, disabled: true },
        { name: '' },
        null,
      ],
      headers: [{ name: 'X-A', value: 'x' }, { value: 'nameless' }],
    },
    { url: `${url}?a=1`, headers: { 'x-a': 'x' } },
  ],
  [
    'plain objects for rows',
    { params: { a: 1 }, headers: { b: true } },
    { url: `${url}?a=1`, headers: { b: 'true' } },
  ],
  ['a body of a GET is left out', { body: { raw: 'x' } }, { method: 'GET' }],
  [
    'text without a type',
    { method: 'POST', body: 'x' },
    { body: 'x', headers: { 'content-type': 'text/plain' } },
  ],
  [
    'an object as raw body',
    { method: 'POST', body: { raw: { a: 1 } } },
    { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
  ],
  [
    'a content type among the headers wins',
    {
      method: 'POST',
      headers: [{ name: 'Content-Type', value: 'text/own' }],
      body: {
        type: 'raw',
        contentType: 'application/json',
        raw: '{}',
        fields: [{ name: 'left', value: 'over' }],
      },
    },
    { body: '{}', headers: { 'content-type': 'text/own' } },
  ],
  [
    'an empty raw body',
    { method: 'POST', body: { type: 'raw', raw: '' } },
    { method: 'POST', headers: {} },
  ],
  ['no auth', { auth: { type: 'none', token: 'unused' } }, { headers: {} }],
])('%s', ([, configured, sent]) => {
  expect(sentAs(configured)).toMatchObject(sent);
});

test('form fields as multipart leave the content type to fetch, which knows the boundary', () => {
  const { body, headers } = fetchRequest({
    url,
    method: 'POST',
    headers: [{ name: 'content-type', value: 'multipart/form-data' }],
    body: { contentType: 'multipart/form-data', fields: [{ name: 'a', value: '1' }] },
  });
  expect(headers.has('content-type')).toBe(false);
  expect(body instanceof FormData && [...body]).toEqual([['a', '1']]);
});
