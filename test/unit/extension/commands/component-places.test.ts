import { expect, test } from 'vitest';
import { placesFor } from '../../../../src/extension/commands/component-places.ts';

const nothing = { roots: ['/shop'], last: undefined, edited: undefined };
const folders = (options: Partial<typeof nothing> | object): string[] =>
  placesFor({ ...nothing, ...options }).map(({ folder }) => folder);

test.each([
  ['a fresh workspace', {}, ['/shop/components', '/shop']],
  [
    'one with an open component',
    { edited: '/shop/hooks/a.mjs' },
    ['/shop/hooks', '/shop/components', '/shop'],
  ],
  [
    'one in which another was written, and a component is open',
    { last: '/shop/timers', edited: '/shop/hooks/a.mjs' },
    ['/shop/timers', '/shop/hooks', '/shop/components', '/shop'],
  ],
  ['one place for two reasons', { last: '/shop/components' }, ['/shop/components', '/shop']],
  [
    'several folders',
    { roots: ['/shop', '/stock'], edited: '/stock/a.mjs' },
    ['/stock', '/shop/components', '/stock/components', '/shop'],
  ],
  [
    'what is not of the workspace',
    { last: '/shopping', edited: '/elsewhere/a.mjs' },
    ['/shop/components', '/shop'],
  ],
])('the places of %s', (_, options, expected) => {
  expect(folders(options)).toEqual(expected);
});
