import { expect, test } from 'vitest';
import type { TrustQuestion } from '../../../../src/protocol/catalogue.ts';
import { trustDetail } from '../../../../src/extension/connection/trust-detail.ts';
import {
  type ComponentPage,
  pageText,
  plain,
} from '../../../../src/extension/registry/page-text.ts';
import {
  ageText,
  type Offered,
  rowOf,
  searchOf,
} from '../../../../src/extension/registry/search-text.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 25);

const offered: Offered = {
  reference: 'acme-new-order@0.2.0',
  key: 'acme-new-order',
  version: '0.2.0',
  type: 'source',
  name: 'New Order',
  description: 'Emits each order',
  app: 'acme',
  registry: 'components',
  place: 'https://git.acme.test/components.git',
  package: null,
  package_version: null,
  commit: 'abc',
  publisher: 'https://git.acme.test/components.git',
  published_at: now - 70 * day,
  license: 'MIT',
  deprecated: null,
};

test.each([
  ['', {}],
  ['new order', { query: 'new order' }],
  ['@source  new @app:acme', { query: 'new', type: 'source', app: 'acme' }],
  ['@ACTION @registry:components', { type: 'action', registry: 'components' }],
  ['@app', { query: '@app' }],
  ['@acme/orders', { query: '@acme/orders' }],
])('what is typed: "%s"', (text, search) => {
  expect(searchOf(text)).toEqual(search);
});

test('a row says what it is, where it comes from, how old it is and under which license', () => {
  expect(rowOf(offered, now)).toEqual({
    label: '$(radio-tower) New Order',
    description: 'source · acme-new-order · 0.2.0',
    detail: 'components · 2 months ago · MIT',
  });
});

test('clause 26: a row of a deprecated version says so, and why', () => {
  const row = rowOf({ ...offered, deprecated: 'Use acme-order', license: null }, now);
  expect(row.label).toContain('$(warning)');
  expect(row.detail).toBe('components · 2 months ago · no license · deprecated: Use acme-order');
});

test.each([
  [0, 'today'],
  [day, '1 day ago'],
  [30 * day, '30 days ago'],
  [31 * day, '1 month ago'],
  [364 * day, '11 months ago'],
  [800 * day, '2 years ago'],
])('%i ms is %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});

const page: ComponentPage = {
  ...offered,
  code: 'export default {}',
  code_hash: '00',
  configurable_props: [
    { name: 'store', type: 'string', label: 'Store', description: 'Which | one', optional: true },
    { name: 'http', type: '$.interface.http' },
  ],
  readme: '# Read me',
  versions: [
    { version: '0.2.0', package_version: null, commit: 'abcdef0123456789', published_at: now },
    { version: '0.1.0', package_version: null, commit: null, published_at: null },
  ],
  others: [],
  files: ['acme/sources/new-order/new-order.mjs'],
  trust: null,
};

test('a page has facts, props, versions, and the README as what its author writes', () => {
  const text = pageText(page);
  expect(text).toContain('# New Order');
  expect(text).toContain('| License | MIT |');
  expect(text).toContain('| `store` | string |  | Store: Which \\| one |');
  expect(text).toContain('| 0.2.0 | abcdef012345 | 2026-11-25 |');
  expect(text.indexOf('What its author writes')).toBeLessThan(text.indexOf('# Read me'));
});

test('the code of the page stays code, whatever stands in it', () => {
  const code = 'export default {};\n```\n# Not a title\n````\n';
  const text = pageText({ ...page, code });
  expect(text).toContain(`\`\`\`\`\`js\n${code.trimEnd()}\n\`\`\`\`\``);
});

test('what strangers wrote stays text on the page', () => {
  const wrong = '<img src=x onerror=alert(1)> [click](command:weir.deploy)\n# Title';
  const text = pageText({ ...page, name: wrong, description: wrong, license: wrong, readme: null });
  expect(text).not.toMatch(/<img|(?<!\\)\]\(|\n# Title/);
  expect(plain('a *b* `c`')).toBe('a \\*b\\* \\`c\\`');
});

test('a question names all that a person decides on', () => {
  const question: TrustQuestion = {
    token: 't',
    reference: 'npm:@acme/orders@1.0.0#acme-new-order',
    key: 'acme-new-order',
    component_version: '0.2.0',
    type: 'source',
    name: 'New Order',
    source: 'npm',
    registry: 'https://npm.acme.test/',
    publisher: 'ann',
    package: '@acme/orders',
    version: '1.0.0',
    published_at: now,
    is_too_new: true,
    license: null,
    license_note: 'It names no license.',
    provenance: false,
    deprecated: 'Use another.',
    dependencies: { axios: '^1' },
    install_scripts: ['postinstall'],
    apps: ['acme'],
    hosts: Array.from({ length: 14 }, (_, n) => `h${n}.test`),
    defines: [
      { app: 'acme', file: 'acme.auth.json', hosts: ['id.acme.test'], defined_by: null },
      { app: 'github', file: 'github.auth.json', hosts: ['evil.test'], defined_by: 'built in' },
    ],
    files: 1,
    bytes: 10,
    reasons: ['It was published today.'],
  };
  const text = trustDetail(question);
  for (const said of [
    'npm:@acme/orders@1.0.0#acme-new-order, https://npm.acme.test/',
    'Published: 2026-11-25',
    'License: none. It names no license.',
    'npm packages: axios ^1',
    'Accounts of: acme',
    'h11.test and 2 more',
    'Defines the app: acme (sign-in and tokens go to id.acme.test)',
    'Defines the app: github (without effect: what is built in counts)',
    'nobody signed it',
    'Never run: postinstall',
    'Deprecated: Use another.',
    'It was published today.',
  ]) {
    expect(text).toContain(said);
  }
});
