import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPath, parsePath } from '../../../../../src/protocol/step-path.ts';
import { holds } from '../../../../support/holds.ts';

test.each([
  ['post', { blocks: [], namespace: 'post' }],
  ['if_1.yes.post', { blocks: [{ namespace: 'if_1', branch: 'yes' }], namespace: 'post' }],
  ['if_1.$else.post', { blocks: [{ namespace: 'if_1', branch: '$else' }], namespace: 'post' }],
  ['each_1[3].post', { blocks: [{ namespace: 'each_1', index: 3 }], namespace: 'post' }],
  [
    'a[0].b[12].c.left.d',
    {
      blocks: [
        { namespace: 'a', index: 0 },
        { namespace: 'b', index: 12 },
        { namespace: 'c', branch: 'left' },
      ],
      namespace: 'd',
    },
  ],
  [
    's.100%25 %5Ba%2Eb%5D.t',
    { blocks: [{ namespace: 's', branch: '100% [a.b]' }], namespace: 't' },
  ],
])('%s', (text, path) => {
  expect(parsePath(text)).toEqual(path);
  expect(formatPath(path)).toBe(text);
});

test.each([
  '',
  '.',
  'a.',
  '.a',
  'a.b',
  'a[1]',
  'a[1]b',
  'a[01].b',
  'a[-1].b',
  'a[].b',
  'a..b.c',
  'a%20',
  'a]',
  'a.b[1].c',
])('%j is not a path of a step', (text) => {
  expect(parsePath(text)).toBeUndefined();
});

test('a path of a thousand blocks', () => {
  const blocks = Array.from({ length: 1000 }, (_, index) => ({ namespace: `b${index}`, index }));
  const path = { blocks, namespace: 'step' };
  expect(parsePath(formatPath(path))).toEqual(path);
});

test('every path comes back as it was, and no two are one text', async () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'b', '$else', '%', '%2E', '.', '[0]', '].', '1', 'é 😀', '\n'),
    fc.string({ minLength: 1, unit: 'binary' }),
  );
  const part = fc.oneof(
    fc.record({ namespace: name, branch: name }),
    fc.record({ namespace: name, index: fc.nat({ max: 10_000 }) }),
  );
  const path = fc.record({ blocks: fc.array(part, { maxLength: 5 }), namespace: name });
  await holds(
    fc.property(path, (given) => {
      expect(parsePath(formatPath(given))).toEqual(given);
    }),
    300,
  );
});
