import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { circlesIn, type Import, importsIn, importsOf } from '../../../scripts/lint/imports.mts';
import { forbiddenImports, roomsOf } from '../../../scripts/lint/rooms.mts';

const page = `
| room | what it does | may import |
| --- | --- | --- |
| \`protocol\` | words | nothing |
| \`runtime/clock\`, \`runtime/log\` | small things | \`protocol\` |
| \`runtime/store\` | keeps | \`protocol\` |
| \`runtime/emit\` | plans | \`runtime/store\` types, \`runtime/log\` |
| \`runtime/runtime\` | the root | everything of \`runtime\` |

Text.
`;
const rooms = roomsOf(page);
const found = (from: string, to: string, isType = false) =>
  forbiddenImports(rooms, [{ from, to, isType }]);

test.each([
  ['src/runtime/store/a.ts', 'src/runtime/store/b.ts', false],
  ['src/runtime/store/a.ts', 'src/protocol/ids.ts', false],
  ['src/runtime/emit/a.ts', 'src/runtime/store/b.ts', true],
  ['src/runtime/emit/a.ts', 'src/runtime/log.ts', false],
  ['src/runtime/runtime.ts', 'src/runtime/emit/a.ts', false],
])('%s may import %s', (from, to, isType) => {
  expect(found(from, to, isType)).toEqual([]);
});

test.each([
  ['src/protocol/a.ts', 'src/runtime/log.ts', true, 'nothing of runtime/clock'],
  ['src/runtime/store/a.ts', 'src/runtime/emit/b.ts', true, 'nothing of runtime/emit'],
  ['src/runtime/emit/a.ts', 'src/runtime/store/b.ts', false, 'only types of runtime/store'],
  ['src/elsewhere/a.ts', 'src/protocol/b.ts', false, 'stands in no room'],
])('%s may not import %s', (from, to, isType, why) => {
  expect(found(from, to, isType)).toEqual([expect.stringContaining(why)]);
});

test('imports of types are told apart, also over several lines', () => {
  const text = `import { a } from './a.ts';
import type { B } from '../b.ts';
import { type C, type D } from './c.ts';
import {
  type E,
  f,
} from './f.ts';
export { g } from './g.ts';
import 'node:fs';
`;
  expect(importsOf('src/x/y.ts', text).map(({ to, isType }) => [to, isType])).toEqual([
    ['src/x/a.ts', false],
    ['src/b.ts', true],
    ['src/x/c.ts', true],
    ['src/x/f.ts', false],
    ['src/x/g.ts', false],
  ]);
});

test('a circle is found, of types as well', () => {
  const imports: Import[] = [
    { from: 'a', to: 'b', isType: false },
    { from: 'b', to: 'c', isType: true },
    { from: 'c', to: 'a', isType: true },
    { from: 'c', to: 'd', isType: false },
  ];
  expect(circlesIn(imports)).toEqual([['a', 'b', 'c']]);
});

test('our own files keep to the page', () => {
  const imports = importsIn('.');
  expect(imports.length).toBeGreaterThan(1000);
  expect(forbiddenImports(roomsOf(readFileSync('docs/architecture.md', 'utf8')), imports)).toEqual(
    [],
  );
  expect(circlesIn(imports)).toEqual([]);
});
