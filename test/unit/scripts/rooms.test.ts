import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roomsPage } from '../../../scripts/docs/pages.mts';
import { roomsPicture } from '../../../scripts/docs/rooms.mts';
import { house } from '../../../scripts/lint/house.mts';
import { circlesIn, type Import, importsIn, importsOf } from '../../../scripts/lint/imports.mts';
import {
  faultsOfHouse,
  floorsOf,
  forbiddenImports,
  type Room,
} from '../../../scripts/lint/rooms.mts';

const rooms: readonly Room[] = [
  { name: 'protocol', does: 'words', imports: [], face: 'everything' },
  { name: 'runtime/base', does: 'small things', imports: ['protocol'], face: ['log'] },
  { name: 'runtime/store', does: 'keeps', imports: ['protocol'], face: ['store', 'sqlite/open'] },
  {
    name: 'runtime/events',
    does: 'plans',
    imports: ['runtime/base', 'runtime/store types'],
    face: [],
  },
];
const found = (from: string, to: string, isType = false) =>
  forbiddenImports(rooms, [{ from, to, isType, isLazy: false }]);

test.each([
  ['src/runtime/store/a.ts', 'src/runtime/store/b.ts', false],
  ['src/runtime/store/a.ts', 'src/protocol/ids.ts', false],
  ['src/runtime/events/a.ts', 'src/runtime/store/store.ts', true],
  ['src/runtime/events/a.ts', 'src/runtime/base/log.ts', false],
])('%s may import %s', (from, to, isType) => {
  expect(found(from, to, isType)).toEqual([]);
});

test.each([
  ['src/protocol/a.ts', 'src/runtime/base/log.ts', true, 'nothing of runtime/base'],
  ['src/runtime/store/a.ts', 'src/runtime/events/b.ts', true, 'nothing of runtime/events'],
  ['src/runtime/events/a.ts', 'src/runtime/store/store.ts', false, 'only types of runtime/store'],
  ['src/runtime/events/a.ts', 'src/runtime/base/ids.ts', false, 'not in the face of runtime/base'],
  ['src/elsewhere/a.ts', 'src/protocol/b.ts', false, 'is in no room'],
])('%s may not import %s', (from, to, isType, why) => {
  expect(found(from, to, isType)).toContainEqual(expect.stringContaining(why));
});

test('an import of a room above, and entries that nothing uses, are faults', () => {
  const upsideDown: readonly Room[] = [
    { name: 'a', does: '', imports: ['b'], face: ['x'] },
    { name: 'b', does: '', imports: ['a'], face: [] },
  ];
  expect(faultsOfHouse(upsideDown, [])).toEqual([
    'a imports b, which is not beneath it.',
    'a imports nothing of b: remove the entry.',
    'No other room imports a/x: remove it from the face.',
    'b imports nothing of a: remove the entry.',
  ]);
});

test('types and lazy imports are told apart, also over several lines', () => {
  const text = `import { a } from './a.ts';
import type { B } from '../b.ts';
import { type C, type D } from './c.ts';
import {
  type E,
  f,
} from './f.ts';
export { g } from './g.ts';
import 'node:fs';
const h = await import('./h.ts');
type I = typeof import('./i.ts');
type J = import('./j.ts').J;
`;
  expect(
    importsOf('src/x/y.ts', text).map(({ to, isType, isLazy }) => [to, isType, isLazy]),
  ).toEqual([
    ['src/x/a.ts', false, false],
    ['src/b.ts', true, false],
    ['src/x/c.ts', true, false],
    ['src/x/f.ts', false, false],
    ['src/x/g.ts', false, false],
    ['src/x/h.ts', false, true],
    ['src/x/i.ts', true, true],
    ['src/x/j.ts', true, true],
  ]);
});

test('a circle is found, of types as well', () => {
  const arrow = (from: string, to: string): Import => ({ from, to, isType: true, isLazy: false });
  const imports = [arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'a'), arrow('c', 'd')];
  expect(circlesIn(imports)).toEqual([['a', 'b', 'c']]);
});

test('our own files keep to the house', () => {
  const imports = importsIn('.');
  expect(imports.length).toBeGreaterThan(1000);
  expect(forbiddenImports(house, imports)).toEqual([]);
  expect(faultsOfHouse(house, imports)).toEqual([]);
});

test('the runtime has at most 15 rooms on 10 floors with 80 arrows', () => {
  const runtime = house.filter(({ name }) => name.startsWith('runtime/'));
  const inside = runtime.map(({ name, imports }) => ({
    name,
    does: '',
    face: [],
    imports: imports.filter((entry) => entry.startsWith('runtime/')),
  }));
  expect(runtime.length).toBeLessThanOrEqual(15);
  expect(Math.max(...floorsOf(inside).values()) + 1).toBeLessThanOrEqual(10);
  expect(inside.flatMap(({ imports }) => imports).length).toBeLessThanOrEqual(80);
});

test('the page and the picture of the rooms are those of the house', async () => {
  expect(readFileSync('docs/rooms.md', 'utf8')).toBe(await roomsPage());
  expect(readFileSync('docs/images/rooms.svg', 'utf8')).toBe(roomsPicture(house));
});
