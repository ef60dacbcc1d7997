import { expect, test } from 'vitest';
import { hoverAt } from '../../../../src/extension/authoring/hovers.ts';

/** @param text with `|` at the pointer */
function hover(text: string, isTyped = false): string | undefined {
  const clean = text.replace('|', '');
  const found = hoverAt(clean, text.indexOf('|'), { isTyped });
  return found && `${clean.slice(found.range.start, found.range.end)}: ${found.text}`;
}

const source = (members: string) => `export default {\n  type: "source",\n  ${members}\n};\n`;

test.each([
  [source('ded|upe: "unique",'), 'dedupe: `dedupe` · key of a component\n\nDrops events'],
  [source('dedupe: "uni|que",'), '"unique": `unique` · dedupe strategy\n\nDrops'],
  [source('async ru|n(event) {},'), 'run: `run` · key of a component\n\nCalled'],
  [source('hooks: { async act|ivate() {} },'), 'activate: `activate` · hook\n\nWhen'],
  [
    source("props: { db: '$.serv|ice.db' },"),
    "'$.service.db': `$.service.db` · prop type\n\nA store",
  ],
  [
    source('props: { a: { type: "integ|er[]" } },'),
    '"integer[]": `integer[]` · prop type\n\nA list',
  ],
  [source('props: { a: { "sec|ret": true } },'), '"secret": `secret` · key of a prop\n\nMasked'],
  ['module.exports = { type: "act|ion" };', '"action": `action` · component type\n\nIs run'],
  // Half typed.
  [source('dedupe: "unique"\n  hoo|ks: {'), 'hooks: `hooks` · key of a component\n\nCalled'],
])('%s', (text, start) => {
  expect(hover(text)?.slice(0, start.length)).toBe(start);
});

test.each([
  source('mi|ne: 1,'),
  source('props: { na|me: "string" },'),
  source('props: { a: { type: "objec|ts" } },'),
  source('run() { dedu|pe; },'),
  source('constr|uctor: 1,'),
  '// export default\nconst ded|upe = 1;',
])('nothing for %s', (text) => {
  expect(hover(text)).toBeUndefined();
});

test('with types only what TypeScript does not say', () => {
  expect(hover(source('ded|upe: "unique",'), true)).toBeUndefined();
  expect(hover(source('dedupe: "uniq|ue",'), true)).toContain('dedupe strategy');
  expect(hover(source('props: { a: { type: "string", lab|el: "A" } },'), true)).toContain('Shown');
});
