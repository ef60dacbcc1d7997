import { expect, test } from 'vitest';
import { isCopy } from '../../../../../src/runtime/accounts/oauth/copied-store.ts';

const before = { path: '/home/ann/shop/.weir', host: 'laptop', inode: '7' };

test.each([
  ['the same folder is none', {}, false],
  ['one that was moved is none: it keeps its inode', { path: '/home/ann/shop2/.weir' }, false],
  ['a container that has another name each time is none', { host: 'c0ffee' }, false],
  ['a backup that was put back in its place is none', { inode: '8' }, false],
  ['one beside it is', { path: '/home/ann/shop2/.weir', inode: '8' }, true],
  ['one at the same path of another machine is', { host: 'desktop', inode: '8' }, true],
])('clause 27: %s', (_what, more, expected) => {
  expect(isCopy(before, { ...before, ...more })).toBe(expected);
});
