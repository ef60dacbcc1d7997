import { expect, test } from 'vitest';
import type { ComponentDefinition } from '../../../../src/protocol/definition.ts';
import {
  componentProblems,
  dependencyProblems,
  manifestProblems,
} from '../../../../src/runtime/registry/publish/check.ts';

const paths = new Set(['README.md', 'LICENSE', 'a.mjs']);
const whole = { name: '@acme/orders', version: '1.0.0', license: 'MIT' };

const component = (key: string | null, version: string | null = '0.1.0', path = 'a.mjs') => ({
  path,
  definition: { key, version, name: 'A', type: 'action' } as ComponentDefinition,
});

const said = (problems: readonly { message: string }[]) => problems.map(({ message }) => message);

test('a package that has all it needs has no problem', () => {
  expect(manifestProblems(whole, paths)).toEqual([]);
  const { license: _, ...without } = whole;
  expect(manifestProblems(without, paths)).toEqual([]);
});

test.each([
  ['a name with capitals', { ...whole, name: 'Orders' }, '"name"'],
  ['a range for a version', { ...whole, version: '^1.0.0' }, '"version"'],
  ['two numbers for a version', { ...whole, version: '1.0' }, '"version"'],
  ['private', { ...whole, private: true }, '"private"'],
])('%s is a problem', (_what, manifest, says) => {
  expect(said(manifestProblems(manifest, paths))).toEqual([expect.stringContaining(says)]);
});

test('neither license nor README: both are said', () => {
  const { license: _, ...without } = whole;
  const messages = said(manifestProblems(without, new Set(['docs/README.md'])));
  expect(messages).toEqual([
    expect.stringContaining('license'),
    expect.stringContaining('README.md'),
  ]);
});

test.each(['acme-new-order', 'google_sheets-add-row', 'acme-v2', '@acme/shop-new-order'])(
  '%s is a key',
  (key) => {
    expect(componentProblems([component(key)], '@acme/orders')).toEqual([]);
  },
);

test.each([
  'acme',
  'Acme-new-order',
  'acme-New-Order',
  'acme_new_order',
  'acme--new',
  'acme-new-',
  '@other/acme-new',
  '',
])('"%s" is none', (key) => {
  expect(said(componentProblems([component(key)], '@acme/orders'))).toEqual([
    expect.stringContaining('a.mjs: its key'),
  ]);
});

test('no key, no version, a key twice', () => {
  const problems = componentProblems(
    [
      component(null, null),
      component('acme-a', '1', 'b.mjs'),
      component('acme-a', '0.1.0', 'c.mjs'),
    ],
    'orders',
  );
  expect(said(problems)).toEqual([
    expect.stringContaining('it has no key'),
    expect.stringContaining('it has no version'),
    expect.stringContaining('b.mjs: its version "1"'),
    expect.stringContaining('c.mjs: b.mjs has the key "acme-a" as well'),
  ]);
});

test('what the code imports has to be among the dependencies', () => {
  const imports = new Map([['a.mjs', ['axios', 'lodash', 'weir', '@acme/orders']]]);
  const manifest = { ...whole, dependencies: { axios: '1' } };
  expect(said(dependencyProblems(manifest, imports))).toEqual([
    expect.stringContaining('npm install lodash'),
  ]);
});
