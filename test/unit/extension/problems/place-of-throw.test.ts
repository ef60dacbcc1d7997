import { expect, test } from 'vitest';
import { placeOfThrow } from '../../../../src/extension/problems/place-of-throw.ts';

const isOwn = (file: string): boolean => file.startsWith('/w/');
const stack = (...frames: string[]) =>
  ['Error: no', ...frames.map((frame) => `    at run (${frame})`)].join('\n');

test.each([
  ['the component', ['/w/a.mjs:5:9', '/w/b.mjs:1:1'], '/w/a.mjs', 5],
  ['a package the component called', ['/w/node_modules/x/i.js:1:1', '/w/a.mjs:7:3'], '/w/a.mjs', 7],
  ['a bundle or Node', ['/w/.weir/d/b.mjs:1:1', '/usr/x.js:2:2', '/w/l/c.ts:9:1'], '/w/l/c.ts', 9],
])('of what %s threw it is the innermost line of the author', (_, frames, file, line) => {
  expect(placeOfThrow(stack(...frames), isOwn)).toMatchObject({ file, line });
});

test('there is none when no line is of the author', () => {
  expect(placeOfThrow(stack('/opt/x.js:1:1'), isOwn)).toBeUndefined();
});
