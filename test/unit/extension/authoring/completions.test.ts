import { describe, expect, test } from 'vitest';
import {
  completionsAt,
  type FileContext,
  type Offer,
} from '../../../../src/extension/authoring/completions.ts';
import { componentKeys, propTypeDocs } from '../../../../src/protocol/vocabulary.ts';

const plain: FileContext = { language: 'javascript', isTyped: false };

/** @param text with `|` at the cursor */
function offers(text: string, context = plain): Offer[] {
  const offset = text.indexOf('|');
  return completionsAt(text.replace('|', ''), offset, context);
}

const labels = (text: string, context = plain) => offers(text, context).map(({ label }) => label);

/** The text after the choice of an entry, `$` where the cursor is. */
function chosen(text: string, label: string): string {
  const offer = offers(text).find((one) => one.label === label);
  if (offer === undefined) throw new Error(`There is no ${label} among ${labels(text).join()}.`);
  const before = text.replace('|', '');
  const typed = offer.snippet
    .replaceAll(/\$\{\d:([^}]*)\}/g, '$1')
    .replaceAll(/(?<!\\)\$\d/g, '|')
    .replaceAll(/\\([$}\\])/g, '$1');
  return before.slice(0, offer.range.start) + typed + before.slice(offer.range.end);
}

const source = (members: string) => `export default {\n  type: "source",\n  ${members}\n};\n`;
const hooks = ['deploy', 'activate', 'deactivate'];
const strategies = ['unique', 'greatest', 'last'];
const types = Object.keys(propTypeDocs);

describe('keys of a component', () => {
  test('all of them, as long as nothing tells its kind', () => {
    expect(labels('export default {\n  |\n};')).toEqual(Object.keys(componentKeys));
    expect(labels('module.exports = { | };')).toEqual(Object.keys(componentKeys));
    expect(labels('export default { |')).toEqual(Object.keys(componentKeys));
  });

  test('those of its kind which are not there yet', () => {
    const text = source('name: "A", props: {}, |\n  run() {},');
    expect(labels(text)).toEqual(
      'key version description dedupe hooks methods additionalProps sampleEmit annotations'.split(
        ' ',
      ),
    );
    expect(labels('export default { type: "action", | }')).not.toContain('dedupe');
    expect(labels('export default { type: "app", | }')).toEqual(
      'app propDefinitions methods'.split(' '),
    );
    expect(labels('export default defineSource({ | })')).toContain('hooks');
    expect(labels('export default defineAction({ | })')).not.toContain('hooks');
  });

  test.each([
    ['in a word that is being typed', source('de|')],
    ['in a word before the next member, without a comma', source('de|\n  run() {},')],
    ['after a member without a comma, on the next line', source('name: "A"\n  |')],
    ['after a spread', source('...common,\n  |')],
    ['after a computed name', source('[key]: 1,\n  |')],
    ['after a comment', source('// What it does.\n  |')],
    ['after a text that is not terminated', source('name: "A\n  |')],
    ['after a value that is missing', source('name:\n  version: "1",\n  |')],
    ['after a method whose brackets do not match', source('run() {\n    if (a {\n  },\n  |')],
    ['after an object with a brace too few', source('props: {\n    a: {\n  },\n  |')],
    ['after an arrow with an object', source('a: () => ({ b: 1 }),\n  |')],
    ['after a conditional value', source('a: b\n    ? c\n    : d,\n  |')],
  ])('%s', (_, text) => {
    expect(labels(text)).toContain('dedupe');
  });

  test.each([
    ['behind a value', source('name: "A" |')],
    ['behind a value and a comment', source('name: "A" /* a, b */ |')],
    ['in a comment', source('// |')],
    ['in a long comment', source('/* | */')],
    ['in a text', source('name: "|"')],
    ['in a method', source('run() { | }')],
    ['in an object within a method', source('run() { return { | }; }')],
    ['in an object of the author', source('mine: { | }')],
    ['outside of the definition', `${source('')}|`],
    ['in an import', `import a from "|";\n${source('')}`],
    ['in another object', 'export default { plugins: [], | };'],
    ['in an object that is not exported', 'const a = { type: "source", | };'],
  ])('not %s', (_, text) => {
    expect(labels(text)).toEqual([]);
  });
});

describe('where there is one of a few', () => {
  test.each([
    ['hooks', source('hooks: { | },'), hooks],
    ['hooks beside one', source('hooks: {\n    async deploy() {},\n    |\n  },'), hooks.slice(1)],
    ['dedupe in quotes', source('dedupe: "|",'), strategies],
    ['dedupe without quotes', source('dedupe: |'), strategies],
    ['dedupe right after the colon', source('dedupe:|'), strategies],
    ['dedupe in a quote that is not closed', source("dedupe: 'un|\n  run() {},"), strategies],
    ['dedupe before another member', source('dedupe: |\n  version: "1",'), strategies],
    ['dedupe, half a word', source('dedupe: uni|,'), strategies],
    ['the kind', 'export default { type: "|" };', ['source', 'action', 'app']],
    ['a prop', source('props: { a: "|" },'), types],
    ['the type of a prop', source('props: { a: { type: "|" } },'), types],
    ['the type of a prop, half typed', source('props: { a: { type: "$.interf|'), types],
    [
      'that of an app',
      'export default { type: "app", propDefinitions: { a: { type: "|" } } };',
      types,
    ],
    ['that of a common module', 'module.exports = { props: { a: { type: "|" } } };', types],
    [
      'a note',
      source('props: { a: { type: "alert", alertType: "|" } },'),
      ['info', 'neutral', 'warning', 'error'],
    ],
    [
      'a schedule',
      source('props: { a: { type: "$.interface.timer", default: { | } } },'),
      ['intervalSeconds', 'cron', 'timezone'],
    ],
  ])('%s', (_, text, wanted) => {
    expect(labels(text)).toEqual(wanted);
  });

  test.each([
    source('dedupe: strategy(|),'),
    source('props: { a: app| .b },'),
    source('props: { | },'),
    source('props: { a: { type: "object", default: { | } } },'),
    source('props: { a: { type: "string", options: ["|"] } },'),
    source('methods: { type: "|" },'),
  ])('not in %s', (text) => {
    expect(labels(text)).toEqual([]);
  });
});

describe('keys of a prop', () => {
  const keys = (prop: string) => labels(source(`props: { a: { ${prop} } },`));

  test('go by its type', () => {
    expect(keys('type: "$.interface.http", |')).toEqual(['label', 'description', 'customResponse']);
    expect(keys('|, type: "alert"')).toEqual(['hidden', 'alertType', 'content']);
    expect(keys('type: "integer", |')).toEqual(expect.arrayContaining(['min', 'max', 'options']));
    expect(keys('type: "integer", |')).not.toContain('secret');
    expect(keys('type: "string", secret: true, |')).not.toContain('secret');
    expect(keys('type: "$.service.db", |')).toEqual([]);
  });

  test('may be any that a prop of an app can have, as long as there is no type', () => {
    expect(keys('|')).toEqual(
      expect.arrayContaining(['type', 'propDefinition', 'label', 'secret']),
    );
    expect(keys('propDefinition: [app, "b"], |')).toEqual(
      expect.arrayContaining(['type', 'label', 'min', 'secret']),
    );
    expect(keys('|')).not.toContain('alertType');
  });
});

describe('what is inserted', () => {
  test.each([
    ['export default {\n  na|\n};', 'name', 'export default {\n  name: "|",\n};'],
    [
      "import a from 'a';\nexport default { | }",
      'key',
      "import a from 'a';\nexport default { key: '|', }",
    ],
    [
      'export default { |, name: "A" }',
      'version',
      'export default { version: "0.0.1", name: "A" }',
    ],
    [source('dedup|: "unique",'), 'dedupe', source('dedupe: "unique",')],
    [source('async ru|() {},'), 'run', source('async run() {},')],
    [source('|'), 'run', source('async run(event) {\n\t|\n},')],
    [
      'export default { type: "action", | }',
      'run',
      'export default { type: "action", async run({ steps, $ }) {\n\t|\n}, }',
    ],
    [source('hooks: { | },'), 'deploy', source('hooks: { async deploy() {\n\t|\n}, },')],
    [source('props: { a: "|" }'), '$.service.db', source('props: { a: "$.service.db" }')],
    [source('props: { a: "$.se|rvice" }'), '$.service.db', source('props: { a: "$.service.db" }')],
    [source('props: { a: | }'), 'integer', source('props: { a: "integer" }')],
    [source('dedupe: uni|,'), 'unique', source('dedupe: "unique",')],
    [source("dedupe: 'un|\n"), 'unique', source("dedupe: 'unique\n")],
    [source('props: { a: { sec| } }'), 'secret', source('props: { a: { secret: true, } }')],
  ])('%s: %s', (text, label, after) => {
    expect(chosen(text, label)).toBe(after);
  });

  test('a value that is one of a few is chosen next', () => {
    const next = offers('export default { | }').filter(({ isChosenNext }) => isChosenNext);
    expect(next.map(({ label }) => label)).toEqual(['type', 'dedupe']);
  });
});

describe('after this.', () => {
  const component = (run: string, kind = 'source') => `export default {
  type: "${kind}",
  props: { db: "$.service.db", "odd-name": "string", limit: { type: "integer" } },
  methods: { fetch() {}, ${run.startsWith('methods:') ? run.slice(8) : ''} },
  ${run.startsWith('methods:') ? '' : run}
};`;
  const all = ['db', 'limit', 'fetch', '$emit'];

  test.each([
    ['run', component('run() { this.| },')],
    ['run, half a name', component('async run(event) {\n    const a = this.li|\n  },')],
    ['run before more code', component('run() {\n    this.|\n    await this.fetch();\n  },')],
    ['run with brackets that do not match', component('run() {\n    if (this.|\n  },')],
    ['a function', component('run: async function (event) { this.| },')],
    ['an arrow in it', component('run() { list.map((a) => { this.| }); },')],
    ['a block in it', component('run() { if (a) { for (const b of c) { this.| } } },')],
    ['a template in it', component('run() { fetch(`a${this.|}`); },')],
    ['a hook', component('hooks: { deploy() { this.| } },')],
    ['additionalProps', component('additionalProps() { return this.|; },')],
  ])('in %s', (_, text) => {
    expect(labels(text)).toEqual(all);
  });

  test.each([
    ['in a text', component('run() { a("this.|"); },')],
    ['in a comment', component('run() { // this.|\n },')],
    ['in a template', component('run() { a(`this.|`); },')],
    ['in a function of its own', component('run() { list.map(function (a) { this.| }); },')],
    ['in a method of another object', component('run() { return { a() { this.| } }; },')],
    ['in an arrow function as run', component('run: () => { this.| },')],
    ['after another object', component('run() { that.| },')],
    ['further down', component('run() { this.db.| },')],
    ['in a key of the author', component('mine() { this.| },')],
  ])('not %s', (_, text) => {
    expect(labels(text)).toEqual([]);
  });

  test('TypeScript has the methods beside a method, in JavaScript', () => {
    const text = component('methods:other() { this.| }');
    expect(labels(text)).toEqual(['db', 'limit', '$emit']);
    expect(labels(text, { ...plain, language: 'typescript' })).toEqual([
      'db',
      'limit',
      'fetch',
      'other',
      '$emit',
    ]);
  });

  test('actions do not emit, and apps have credentials', () => {
    expect(labels(component('run() { this.| }', 'action'))).toEqual(['db', 'limit', 'fetch']);
    const app = 'export default { type: "app", app: "a", methods: { a() { return this.|; } } };';
    expect(labels(app)).toEqual(['$auth']);
  });
});

describe('with types', () => {
  const typed: FileContext = { language: 'typescript', isTyped: true };
  const file = (members: string) =>
    `import { defineSource } from 'weir/component';\nexport default defineSource({ ${members} });`;

  test.each([
    file('|'),
    file('dedupe: "|"'),
    file('hooks: { | }'),
    file('props: { a: "|" }'),
    file('props: { a: { | } }'),
    file('props: { a: { type: "|" } }'),
    file('props: { a: "string" }, run() { this.| }'),
  ])('nothing that TypeScript offers: %s', (text) => {
    expect(labels(text, typed)).toEqual([]);
    // The platform's types are not there before they are installed.
    expect(labels(text.replace('weir/component', '@pipedream/types'))).not.toEqual([]);
  });

  test('the keys of a prop, once it has a type', () => {
    expect(labels(file('props: { a: { type: "alert", | } }'), typed)).toContain('content');
  });
});
