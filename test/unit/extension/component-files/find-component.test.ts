import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { newComponent, templates } from '../../../../src/extension/commands/component-templates.ts';
import {
  componentExtensions,
  findComponent,
  mayBeComponent,
  mayBePart,
  partGlob,
} from '../../../../src/extension/component-files/find-component.ts';
import { findProblems } from '../../../../src/extension/problems/find-problems.ts';

test.each([
  ['export default {\n  type: "source",\n};', 0],
  ['// a\nimport x from "x";\nexport default {\n  props: { http: "$.interface.http" } };', 2],
  ['const x = 1;\nmodule.exports = {\n  run() { this.$emit(1); },\n};', 1],
  ["\nexport default defineSource({ name: 'x' });", 1],
  // A prop of type app says nothing about the component.
  ['export default {\n  type: "source",\n  props: { slack: { type: "app" } } };', 0],
])('finds the default export of %j', (text, line) => {
  expect(findComponent(text)).toMatchObject({ kind: 'source', line });
});

test.each([
  'export const a = 1;',
  'export default { type: "app", app: "slack" };',
  'export default function App() { return null; }',
  '  // export default { type: "source" }',
])('leaves %j alone', (text) => {
  expect(findComponent(text)).toBeUndefined();
});

test.each(Object.values(templates))(
  'a new $label is one that is found, and has no problem',
  (template) => {
    const { file, text } = newComponent('Möwe & Co: "new"', template);
    expect(file).toBe('möwe-co-new.mjs');
    expect(findComponent(text)).toMatchObject({ kind: template.kind, line: 0 });
    expect(findProblems(text, 'x')).toEqual([]);
    expect(text).toContain(JSON.stringify('Möwe & Co: "new"'));
  },
);

test.each([
  ['export default {\n  type: "action",\n  run() {} };', 'action'],
  ['export default defineAction({ run() {} });', 'action'],
  ['export default { type: "source", a: { type: "action" } };', 'source'],
  ['export default { type: "app" };', undefined],
])('%j is of kind %j', (text, kind) => {
  expect(findComponent(text)?.kind).toBe(kind);
});

test.each([
  ['/w/a.mjs', true],
  ['/w/lib/b.cts', true],
  ['/w/package.json', true],
  ['/w/readme.md', false],
  ['/w/a.mjs.bak', false],
  ['/w/json', false],
])('a change of %s can change a component: %s', (file, expected) => {
  expect(mayBePart(file)).toBe(expected);
  // The watcher of dev mode is given a glob.
  expect(path.matchesGlob(file, partGlob)).toBe(expected);
});

test('every file that a runtime takes for a component may be one, in menus too', () => {
  for (const extension of ['.mjs', '.js', '.cjs', '.mts', '.ts']) {
    expect(mayBeComponent(`/a/b${extension}`)).toBe(true);
  }
  const [menu] = manifest.contributes.menus['explorer/context'];
  const inMenus = /\(([a-z|]+)\)/.exec(menu?.when ?? '')?.[1] ?? '';
  expect(
    inMenus
      .split('|')
      .map((name) => `.${name}`)
      .toSorted(),
  ).toEqual([...componentExtensions].toSorted());
});
