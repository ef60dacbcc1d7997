import { expect, test } from 'vitest';
import { findSource } from '../../../src/extension/component-file.ts';
import { newSource } from '../../../src/extension/new-component.ts';

test.each([
  ['export default {\n  type: "source",\n};', 0],
  ['// a\nimport x from "x";\nexport default {\n  props: { http: "$.interface.http" } };', 2],
  ['const x = 1;\nmodule.exports = {\n  run() { this.$emit(1); },\n};', 1],
  ["\nexport default defineSource({ name: 'x' });", 1],
  // A prop of type app says nothing about the component.
  ['export default {\n  type: "source",\n  props: { slack: { type: "app" } } };', 0],
])('finds the default export of %j', (text, line) => {
  expect(findSource(text)).toBe(line);
});

test.each([
  'export const a = 1;',
  'export default {\n  type: "action",\n  run() {} };',
  'export default { type: "app", app: "slack" };',
  'export default function App() { return null; }',
  '  // export default { type: "source" }',
])('leaves %j alone', (text) => {
  expect(findSource(text)).toBeUndefined();
});

test.each(['http', 'timer'] as const)('a new %s component is one that is found', (trigger) => {
  const { file, text } = newSource('Möwe & Co: "new"', trigger);
  expect(file).toBe('möwe-co-new.mjs');
  expect(findSource(text)).toBe(0);
  expect(text).toContain(JSON.stringify('Möwe & Co: "new"'));
});
