import { licenseTexts, type Tree } from '../../../../src/runtime/registry/tree.ts';
import { describe, expect, test } from 'vitest';
import type { ManifestFacts } from '../../../../src/runtime/registry/manifest-facts.ts';
import { licenseOf } from '../../../../src/runtime/registry/license.ts';
import { questionToken, reasonsToAsk, withTrust } from '../../../../src/runtime/registry/trust.ts';
import { highest, nearestVersion } from '../../../../src/runtime/registry/versions.ts';

const day = 24 * 3600_000;
const now = Date.UTC(2026, 10, 25);
const facts: ManifestFacts = {
  source: 'npm',
  registry: 'http://127.0.0.1:4873/',
  publisher: 'ann',
  subject: '@acme/orders',
  key: 'shop-new-order',
  componentVersion: '0.2.0',
  type: 'source',
  name: 'New Order',
  package: '@acme/orders',
  version: '1.4.0',
  publishedAt: now - 30 * day,
  license: 'MIT',
  licenseNote: undefined,
  provenance: true,
  deprecated: undefined,
  dependencies: { axios: '^1' },
  installScripts: [],
  apps: ['shop'],
  hosts: ['api.shop.test'],
  defines: [{ app: 'shop', file: 'shop.auth.json', hosts: ['id.shop.test'], digest: 'a' }],
  files: 2,
  bytes: 1000,
  integrity: 'sha512-a',
};
const trusted = withTrust([], facts, false);
const reasons = (changed: Partial<ManifestFacts>) =>
  reasonsToAsk(trusted, { ...facts, ...changed }, 3, now);

describe('when somebody is asked (P27.7)', () => {
  test('who is not known is asked about; what was said yes to is not', () => {
    expect(reasonsToAsk([], facts, 3, now)).toEqual([expect.stringContaining('Nothing of ann')]);
    expect(reasons({ version: '1.5.0', integrity: 'sha512-b' })).toEqual([]);
  });

  test('clause 14: per registry and publisher, and another package of theirs is not asked about', () => {
    expect(reasons({ registry: 'http://127.0.0.1:1/' })).toHaveLength(1);
    expect(reasons({ publisher: 'mallory' })).toHaveLength(1);
    expect(reasons({ subject: '@acme/other' })).toEqual([]);
  });

  test.each<[string, Partial<ManifestFacts>, string]>([
    ['a dependency', { dependencies: { axios: '^1', miner: '1' } }, 'miner'],
    ['a host', { hosts: ['api.shop.test', 'evil.test'] }, 'evil.test'],
    ['an app', { apps: ['shop', 'bank'] }, 'bank'],
    ['an install script', { installScripts: ['postinstall'] }, 'postinstall'],
    [
      'a definition of an app',
      {
        defines: [
          ...facts.defines,
          { app: 'bank', file: 'bank.auth.json', hosts: ['bank.test'], digest: 'b' },
        ],
      },
      'accounts of bank connect, which it did not: sign-in and tokens go to bank.test',
    ],
    [
      'another definition of an app',
      { defines: [{ app: 'shop', file: 'shop.auth.json', hosts: ['evil.test'], digest: 'c' }] },
      'accounts of shop connect in another way than before: sign-in and tokens go to evil.test',
    ],
    ['another license', { license: 'AGPL-3.0' }, 'AGPL-3.0'],
    ['no license', { license: undefined }, 'is none'],
    ['no provenance', { provenance: false }, 'statement of its build'],
  ])('clause 15: %s is asked about again', (_what, changed, said) => {
    expect(reasons(changed)).toEqual([expect.stringContaining(said)]);
  });

  test('another component of theirs that defines an app in another way is asked about', () => {
    const other = { subject: 'shop-other', defines: [] as ManifestFacts['defines'] };
    expect(reasons(other)).toEqual([]);
    const [shop] = facts.defines;
    if (shop === undefined) throw new Error('It defines one.');
    const evil = { ...shop, hosts: ['evil.test'], digest: 'c' };
    expect(reasons({ ...other, defines: [evil] })).toEqual([
      'It defines how accounts of shop connect in another way than what is allowed of its publisher: sign-in and tokens go to evil.test.',
    ]);
    expect(reasons({ ...other, defines: [{ ...shop, app: 'bank' }] })).toEqual([]);
  });

  test('what is gone is no reason', () => {
    expect(reasons({ dependencies: {}, hosts: [], apps: [], defines: [] })).toEqual([]);
  });

  test('a version of a registry that is too young is asked about once, one of a repository is not', () => {
    const young = { ...facts, version: '2.0.0', publishedAt: now - day };
    expect(reasonsToAsk(trusted, young, 3, now)).toEqual(['Version 2.0.0 is younger than 3 days.']);
    expect(reasonsToAsk(withTrust(trusted, young, true), young, 3, now)).toEqual([]);
    expect(reasonsToAsk(trusted, { ...young, source: 'git' }, 3, now)).toEqual([]);
    expect(reasonsToAsk(trusted, young, 0, now)).toEqual([]);
  });

  test('a yes is to what was asked: other facts have another token', () => {
    const token = questionToken(facts, ['why']);
    expect(questionToken({ ...facts, hosts: ['evil.test'] }, ['why'])).not.toBe(token);
    expect(questionToken({ ...facts, integrity: 'sha512-b' }, ['why'])).not.toBe(token);
  });
});

test.each([
  ['{"license":"MIT"}', undefined, 'MIT', undefined],
  ['{"license":{"type":"ISC"}}', undefined, 'ISC', undefined],
  ['{"license":"SEE LICENSE IN LICENSE"}', '# My terms\n', 'My terms', undefined],
  [
    '{}',
    'Pipedream Source Available License\nVersion 1.0',
    'Pipedream Source Available License',
    'It excludes commercial use: https://github.com/PipedreamHQ/pipedream',
  ],
  ['{}', 'Other Source Available License', 'Other Source Available License', 'Source available'],
  ['{}', undefined, undefined, 'names no license'],
  ['no JSON', undefined, undefined, 'names no license'],
])('the license of %s with %j', (manifest, file, name, note) => {
  const license = licenseOf(manifest, file);
  expect(license.name).toBe(name);
  if (note === undefined) expect(license.note).toBeUndefined();
  else expect(license.note).toContain(note);
});

test.each([
  [
    'a/b/package.json',
    { 'a/b/package.json': '{"license":"MIT"}', 'package.json': '{"license":"ISC"}' },
    'MIT',
  ],
  [
    'the root, where the nearest says nothing',
    { 'a/b/package.json': '{}', 'package.json': '{"license":"ISC"}' },
    'ISC',
  ],
  [
    'a folder between',
    {
      'a/b/package.json': '{}',
      'a/package.json': '{"license":"BSD"}',
      'package.json': '{"license":"ISC"}',
    },
    'BSD',
  ],
  ['a nearer file', { 'a/LICENSE': 'Mine', 'package.json': '{"license":"ISC"}' }, 'Mine'],
  ['nothing', { 'a/b/package.json': '{}', 'other/LICENSE': 'Theirs' }, undefined],
] as const)('the license of a file in a/b is that of %s', async (_, files: object, name) => {
  const all = new Map(Object.entries(files as Record<string, string>));
  const bytes = (path: string): Uint8Array => new TextEncoder().encode(all.get(path));
  const tree: Tree = {
    paths: new Set(all.keys()),
    read: (paths) => Promise.resolve(new Map(paths.map((path) => [path, bytes(path)]))),
  };
  const texts = await licenseTexts(tree, 'a/b/c.mjs', new AbortController().signal);
  expect(licenseOf(texts.manifest, texts.file).name).toBe(name);
});

test.each([
  ['~0.1', '0.1.4'],
  ['0.1', '0.1.4'],
  [undefined, '1.0.0'],
  ['1.1.0-beta.1', '1.1.0-beta.1'],
  ['3', undefined],
])('clause 9: the highest version for %s', (wanted, version) => {
  expect(highest(['0.1.0', '0.1.4', '1.0.0', '1.1.0-beta.1'], wanted)).toBe(version);
});

test.each([
  ['0.1.3', '0.1.4'],
  ['0.2.0', '0.1.4'],
  ['1.0.9', '1.0.0'],
  ['9.0.0', '1.0.0'],
])('the nearest version of %s', (wanted, version) => {
  expect(nearestVersion(['0.1.0', '0.1.4', '1.0.0'], wanted)).toBe(version);
});
