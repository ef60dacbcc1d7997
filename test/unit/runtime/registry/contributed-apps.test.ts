/** Definitions of apps that components of others bring (P27.14). */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listContributedApps } from '../../../../src/runtime/registry/contributed-apps.ts';
import { definedBy, requireNamed } from '../../../../src/runtime/registry/defined.ts';
import type { ManifestFacts } from '../../../../src/runtime/registry/manifest-facts.ts';

const facts: ManifestFacts = {
  source: 'npm',
  registry: 'http://127.0.0.1:4873/',
  publisher: 'ann',
  subject: '@acme/orders',
  key: 'acme-new-order',
  componentVersion: '0.2.0',
  type: 'source',
  name: 'New Order',
  package: '@acme/orders',
  version: '1.4.0',
  publishedAt: 1000,
  license: 'MIT',
  licenseNote: undefined,
  provenance: false,
  deprecated: undefined,
  dependencies: {},
  installScripts: [],
  apps: ['acme'],
  hosts: [],
  defines: [{ app: 'acme', file: 'acme.auth.json', hosts: ['acme.test'], digest: 'a' }],
  files: 2,
  bytes: 1000,
  integrity: 'sha512-a',
};
const defines = (file: string): ManifestFacts['defines'] => [
  { app: 'acme', file, hosts: ['acme.test'], digest: file },
];
const git = { ...facts, source: 'git' as const, package: undefined, version: 'a'.repeat(40) };

const brought = (...all: readonly Partial<ManifestFacts>[]): string[] =>
  listContributedApps(
    all.map((one, at) => ({ facts: { ...facts, ...one }, root: join('/', String(at)) })),
  ).map(({ path }) => path);

test('each definition is there once, with the package that it came with', () => {
  const component = { facts, root: '/cache/1' };
  expect(
    listContributedApps([component, { ...component, facts: { ...facts, key: 'acme-other' } }]),
  ).toEqual([{ path: join('/cache/1', 'acme.auth.json'), package: 'npm:@acme/orders@1.4.0' }]);
  expect(listContributedApps([{ facts: { ...facts, ...git }, root: '/cache/1' }])[0]?.package).toBe(
    'http://127.0.0.1:4873/#aaaaaaaaaaaa',
  );
});

test('of two versions of a package the newer counts, also where its file has moved', () => {
  const newer = { version: '1.10.0', defines: defines('app/acme.auth.json') };
  expect(brought({}, newer)).toEqual([join('/1', 'app', 'acme.auth.json')]);
  expect(brought(newer, {})).toEqual([join('/0', 'app', 'acme.auth.json')]);
});

test('another package, another registry and another file of a repository are something else', () => {
  expect(brought({}, { version: '2.0.0', package: '@acme/other' })).toHaveLength(2);
  expect(brought({}, { version: '2.0.0', registry: 'https://evil.test/' })).toHaveLength(2);
  expect(
    brought(git, { ...git, publishedAt: 2000, defines: defines('b/acme.auth.json') }),
  ).toHaveLength(2);
});

test('of a repository the later commit counts, of a folder the newer version of one component', () => {
  expect(brought(git, { ...git, publishedAt: 2000 })).toEqual([join('/1', 'acme.auth.json')]);
  const folder = { ...git, source: 'folder' as const, publishedAt: undefined };
  expect(brought({ ...folder, componentVersion: '0.3.0' }, folder)).toHaveLength(1);
  expect(brought({ ...folder, key: 'acme-other', componentVersion: '0.3.0' }, folder)).toHaveLength(
    2,
  );
});

const text = (more: object): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({
      app: 'acme',
      name: 'Acme',
      methods: [{ type: 'keys', fields: [{ name: 'key' }] }],
      ...more,
    }),
  );

test('a component defines an app in one way, and what it may not say is an error of the component', () => {
  const read = (...files: readonly [string, Uint8Array][]) =>
    definedBy({ files: new Map(files), companions: files.map(([path]) => path) });
  expect(read(['a/acme.auth.json', text({})], ['b/acme.auth.json', text({})])).toMatchObject([
    { app: 'acme', file: 'a/acme.auth.json', hosts: [] },
  ]);
  expect(() =>
    read(['a/acme.auth.json', text({})], ['b/acme.auth.json', text({ name: 'B' })]),
  ).toThrow(
    'a/acme.auth.json and b/acme.auth.json define acme in different ways: keep one of them.',
  );
  const command = text({ methods: [{ type: 'command', run: ['gh'] }] });
  expect(() => read(['acme.auth.json', command])).toThrow(
    expect.objectContaining({
      code: 'bad_component',
      message: expect.stringContaining('runs no program'),
    }),
  );
});

test('a definition that package.json names is in the package', () => {
  const manifest = JSON.stringify({ weir: { apps: { acme: 'acme.auth.json' } } });
  expect(() => requireNamed(manifest, new Set())).toThrow('names acme.auth.json as the definition');
  requireNamed(manifest, new Set(['acme.auth.json']));
  requireNamed('{}', new Set());
});
