import { expect, test } from 'vitest';
import { movedPath } from '../../../../src/extension/component-files/moved-path.ts';

test.each([
  ['the file itself', '/w/a.ts', '/w/a.ts', '/w/b.ts', '/w/b.ts'],
  ['a folder above it', '/w/old/in/a.ts', '/w/old', '/w/new', '/w/new/in/a.ts'],
  ['another file', '/w/a.ts', '/w/b.ts', '/w/c.ts', undefined],
  ['a folder whose name begins alike', '/w/old2/a.ts', '/w/old', '/w/new', undefined],
  ['a folder above one that begins with two dots', '/w/..x/a.ts', '/w', '/y', '/y/..x/a.ts'],
])('renaming %s', (_, file, before, after, to) => {
  expect(movedPath(file, before, after)).toBe(to);
});
