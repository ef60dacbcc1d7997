import { expect, test } from 'vitest';
import { targets } from '../../../../../src/protocol/redirect-targets.ts';

const find = targets({
  'api.example.com': 'http://a/',
  'api.example.com:8443': 'http://b/',
  '*.example.com': 'http://c/',
  '*.deep.example.com': 'http://d/',
  'UPPER.test': 'http://e/',
});

test.for<[host: string, port: number | undefined, target: string | undefined]>([
  ['api.example.com', 443, 'http://a/'],
  ['API.EXAMPLE.COM.', undefined, 'http://a/'],
  ['api.example.com', 8443, 'http://b/'],
  ['x.example.com', 443, 'http://c/'],
  ['x.deep.example.com', 443, 'http://d/'],
  ['deep.example.com', 443, 'http://c/'],
  ['example.com', 443, undefined],
  ['notexample.com', 443, undefined],
  ['upper.test', 80, 'http://e/'],
])('%s:%s → %s', ([host, port, target]) => {
  expect(find(host, port)?.href).toBe(target);
});

test('a single star stands for every host', () => {
  expect(targets({ '*': 'http://all/' })('any.where')?.href).toBe('http://all/');
});
