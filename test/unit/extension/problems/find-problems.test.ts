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
  const snippet = edit.snippet.replaceAll(/\$\{\d:([^}]*)\}/g, '$1').replaceAll(/\\([$}])/g, '$1');
  return text.slice(0, edit.start) + snippet + text.slice(edit.end);
}

const source = (members: string) =>
  `export default {\n  name: "A",\n  type: "source",\n  ${members}\n};\n`;

describe('finds', () => {
  test.each([
    ['export default { type: "source" };', 'no-name export default'],
    ['export default defineSource({ run() {} });', 'no-name export default defineSource('],
    ['module.exports = { type: "action", run() {} };', 'no-name module.exports ='],
    [source('dedupe: "uniq",'), 'unknown-dedupe "uniq"'],
    [source("dedupe: 'newest', // why\n"), "unknown-dedupe 'newest'"],
    [source('props: { n: { type: "integer", secret: true } },'), 'secret-not-string secret: true'],
    [source('dedupe: "unique", run() { this.$emit(1); },'), 'emit-without-id this.$emit'],
    [
      source('dedupe: "last", run() { this.$emit({ a: ")" }, { summary: `${f({})}` }); },'),
      'emit-without-id this.$emit',
    ],
    [source('dedupe: "greatest", run() { this.$emit(a, ); },'), 'emit-without-id this.$emit'],
    [source('key: "a-b", run() {},'), 'no-version export default'],
    [source('version: "0.0.1", run() {},'), 'no-key export default'],
    ['export default { type: "action", name: "A" };', 'no-run export default'],
    [source('"hoks": {},'), 'unknown-key hoks'],
    [source('aditionalProps() {},'), 'unknown-key aditionalProps'],
    [source('hooks: { async actvate() {} },'), 'unknown-key actvate'],
    [source('props: { a: { type: "string", lable: "A" } },'), 'unknown-key lable'],
    [source('props: { a: { type: "interger" } },'), 'unknown-type "interger"'],
    [source("props: { a: '$.service.bd' },"), "unknown-type '$.service.bd'"],
    [source('props: { a: "strng[]" },'), 'unknown-type "strng[]"'],
    [
      'export default { name: "A", type: "sorce", run() { this.$emit(1); } };',
      'unknown-type "sorce"',
    ],
    ['export default { name: "A", type: "Action", run() {} };', 'unknown-type "Action"'],
    [
      'export default { type: "app", app: "a", propDefinitions: { a: { type: "boolen" } } };',
      'unknown-type "boolen"',
    ],
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
    'export default { ...common, type: "action", key: "a-b" };',
    source('key: "a-b", version: "0.0.1", run() {},'),
    source('mine: 1, hook() {}, hooks: {},'),
    source('props: { a: { type: "$.discord.channel[]" }, b: { type: "blob", widget: 1 } },'),
    source('props: { a: { type: `${b}` }, lable: "string" },'),
    'export default { name: "A", type: "module", run() {} };',
    'export default { type: "app", app: "a" };',
    'export default { type: "action", name: "A", dedupe: "whatever", run() {} };',
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
    [source('hoks: {},'), 0, source('hooks: {},')],
    [source('hooks: { async "actvate"() {} },'), 0, source('hooks: { async "activate"() {} },')],
    [source("props: { a: '$.service.bd' },"), 0, source('props: { a: "$.service.db" },')],
    [
      'export default {\n  name: "A",\n  key: "a-b",\n};'.replace('{', '{ type: "source",'),
      0,
      'export default { type: "source",\n  name: "A",\n  key: "a-b",\n  version: "0.0.1",\n};',
    ],
    [
      'export default { type: "source", name: "A", version: "1" };',
      0,
      'export default {\n  key: "my-source", type: "source", name: "A", version: "1" };',
    ],
    [
      'export default {\n  name: "A",\n  type: "action"\n};',
      0,
      'export default {\n  name: "A",\n  type: "action",\n  async run({ steps, $ }) {\n    $0\n  },\n};',
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
  const text = source('props: { "a-b": { type: "x" }, slack, settings: "$.service.db" },');
  const places = [...propPlaces(text)].map(([name, { start, end }]) => [
    name,
    text.slice(start, end),
  ]);
  expect(places).toEqual([
    ['a-b', '"a-b"'],
    ['slack', 'slack'],
    ['settings', 'settings'],
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
