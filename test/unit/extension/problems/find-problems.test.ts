import { describe, expect, test } from 'vitest';
import { findProblems, propPlaces } from '../../../../src/extension/problems/find-problems.ts';

const found = (text: string) =>
  findProblems(text, 'my-source').map(
    ({ code, start, end }) => `${code} ${text.slice(start, end)}`,
  );

/** The text after a fix, its placeholders as they stand. */
function fixed(text: string, at: number): string {
  const [problem] = findProblems(text, 'my-source');
  const edit = problem?.fixes[at]?.edit;
  if (edit === undefined) throw new Error('There is no such fix.');
  const snippet = edit.snippet.replaceAll(/\$\{\d:([^}]*)\}/g, '$1');
  return text.slice(0, edit.start) + snippet + text.slice(edit.end);
}

const source = (members: string) =>
  `export default {\n  name: "A",\n  type: "source",\n  ${members}\n};\n`;

describe('finds', () => {
  test.each([
    ['export default { type: "source" };', 'no-name export default'],
    ['export default defineSource({ run() {} });', 'no-name export default defineSource('],
    ['module.exports = { type: "action" };', 'no-name module.exports ='],
    [source('dedupe: "uniq",'), 'unknown-dedupe "uniq"'],
    [source("dedupe: 'newest', // why\n"), "unknown-dedupe 'newest'"],
    [source('props: { n: { type: "integer", secret: true } },'), 'secret-not-string secret: true'],
    [source('dedupe: "unique", run() { this.$emit(1); },'), 'emit-without-id this.$emit'],
    [
      source('dedupe: "last", run() { this.$emit({ a: ")" }, { summary: `${f({})}` }); },'),
      'emit-without-id this.$emit',
    ],
    [source('dedupe: "greatest", run() { this.$emit(a, ); },'), 'emit-without-id this.$emit'],
  ])('%s', (text, problem) => {
    expect(found(text)).toEqual([problem]);
  });
});

describe('leaves alone', () => {
  test.each([
    source('run() { this.$emit(1); },'),
    source('dedupe: strategy,'),
    source('dedupe: "unique", run() { this.$emit(a, { id: 1 }); },'),
    source('dedupe: "unique", run() { this.$emit(a, meta); },'),
    source('dedupe: "unique", run() { this.$emit(a, { ...meta }); },'),
    source('dedupe: "unique", run() { this.$emit(a, { id }); },'),
    source('dedupe: "unique", run() { this.$emit(...args(1)); // this.$emit(2)\n },').replace(
      'this.$emit(...args(1));',
      '',
    ),
    source(
      'props: { s: { type: "string", secret: true }, t: { type: "string[]", secret: true } },',
    ),
    source('props: { n: { type: "integer", secret: false } },'),
    source('props: { app, n: { propDefinition: [app, "n"], secret: true } },'),
    'export default { ...common, type: "source" };',
    'export default { type: "action", name: "A", dedupe: "whatever" };',
    'export default build({ type: "source" }',
    'export default { type: "source", /* name */ ["na" + "me"]: 1, ...x };',
    'const x = 1;',
  ])('%s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

test('is not led astray by what stands in strings, templates, comments and expressions', () => {
  const text = source(`
    description: "a } , { b", // }
    /* { */ pattern: /[{}"'/]+/g,
    async *"odd key"() { return \`\${{ a: "}" }.a} {\`; },
    get half() { return 4 / 2; },
    arrow: (a) => ({ a, b: a / 2 }),
    dedupe: "nope",`);
  expect(found(text)).toEqual(['unknown-dedupe "nope"']);
});

describe('fixes', () => {
  test.each([
    [
      'export default { type: "source" };',
      0,
      'export default {\n  name: "My source", type: "source" };',
    ],
    [source('dedupe: "uniq",'), 1, source('dedupe: "greatest",')],
    [
      source('props: { n: { type: "integer", secret: true } },'),
      0,
      source('props: { n: { type: "string", secret: true } },'),
    ],
    [
      source('props: { n: { secret: true, type: "integer" } },'),
      1,
      source('props: { n: { type: "integer" } },'),
    ],
    [
      source('dedupe: "unique", run() { this.$emit(1); },'),
      0,
      source('dedupe: "unique", run() { this.$emit(1, { id: event.id }); },'),
    ],
    [
      source('dedupe: "unique", run() { this.$emit(1, { ts }); },'),
      0,
      source('dedupe: "unique", run() { this.$emit(1, { id: event.id, ts }); },'),
    ],
  ])('%s', (text, fix, after) => {
    expect(fixed(text, fix)).toBe(after);
    expect(found(after)).toEqual([]);
  });
});

test('says where a prop stands', () => {
  const text = source('props: { "a-b": { type: "x" }, slack, c: "$.service.db" },');
  const places = [...propPlaces(text)].map(([name, { start, end }]) => [
    name,
    text.slice(start, end),
  ]);
  expect(places).toEqual([
    ['a-b', '"a-b"'],
    ['slack', 'slack'],
    ['c', 'c'],
  ]);
});

test.each([
  [
    'a name that begins like a modifier',
    'settings: "a", getter: "b", asyncMode: "c"',
    'settings getter asyncMode',
  ],
  ['a modifier before another script, or a comment', 'get été() {}, async /* b */ c() {}', 'été c'],
  ['a name with marks', 'हिन्दी: 1, b: 2', 'हिन्दी b'],
  ['a name with escapes, which is not known', String.raw`"a\"b": 1, c: 2`, 'c'],
  [
    'a quote in a regular expression after a keyword',
    `a() { throw /"/; }, b() { switch (1) { case /'/: } }`,
    'a b',
  ],
  ['one after a comment', `a: /* x */ [ /* y */ /"/ ], b: 1`, 'a b'],
  ['one after a spread', `a: [.../"/.source], b: 1`, 'a b'],
  ['a division of what was counted', `a(i) { return i++ / 2 + "/}"; }, b: 1`, 'a b'],
])('reads on over %s', (_what, props, names) => {
  const places = propPlaces(source(`props: { ${props} },`));
  expect([...places.keys()].join(' ')).toBe(names);
});

test('brackets may be as deep as they like', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect([...propPlaces(source(`props: { a: ${deep}, b: 1 },`)).keys()]).toEqual(['a', 'b']);
});
