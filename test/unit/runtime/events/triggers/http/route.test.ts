import { expect, test } from 'vitest';
import { parseTarget } from '../../../../../../src/runtime/events/triggers/http/route.ts';

test.each([
  ['/h/hi_abc', { id: 'hi_abc', path: '/', query: '' }],
  ['/h/hi_abc/', { id: 'hi_abc', path: '/', query: '' }],
  ['/h/hi_abc?x=1', { id: 'hi_abc', path: '/', query: 'x=1' }],
  ['/h/hi_abc/a/b%20c?x=1&y=/z', { id: 'hi_abc', path: '/a/b%20c', query: 'x=1&y=/z' }],
  ['/h/', { id: '', path: '/', query: '' }],
])('%s', (target, expected) => {
  expect(parseTarget(target)).toEqual(expected);
});
