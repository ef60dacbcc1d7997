import { expect, test } from 'vitest';
import {
  newerUses,
  type VersionStatus,
  findVersionStatus,
  formatVersionStatus,
  usesInText,
} from '../../../../src/extension/registry/version-status-text.ts';
import { ejectDetail, updateDetail } from '../../../../src/extension/registry/review-text.ts';

const newer: NonNullable<VersionStatus['newer']> = {
  reference: 'npm:@acme/orders@1.1.0#acme-new-order',
  key: 'acme-new-order',
  version: '0.3.0',
  type: 'source',
  name: 'New Order',
  description: null,
  app: 'acme',
  registry: 'acme',
  place: 'https://npm.acme.test/',
  package: '@acme/orders',
  package_version: '1.1.0',
  commit: null,
  publisher: 'ann',
  published_at: null,
  license: 'MIT',
  deprecated: null,
};

const locked: VersionStatus = {
  key: 'acme-new-order',
  reference: 'npm:@acme/orders@1.0.0#acme-new-order',
  type: 'source',
  path: '/cache/new-order.mjs',
  current: '0.2.0',
  newest: '0.3.0',
  is_outdated: true,
  newer,
  unpublished: false,
  deprecated: null,
  problem: null,
  registry: 'https://npm.acme.test/',
  package: '@acme/orders',
  package_version: '1.0.0',
  used_by: [
    { id: 'dc_1', name: 'orders', type: 'source' },
    { id: 'p_1', name: 'shipping', type: 'workflow' },
  ],
};

test('`uses` of triggers and steps are found where they stand; files and what the platform brings are not', () => {
  const text = [
    'triggers:',
    '  - uses: $.interface.http',
    '  - uses: "acme-new-order@0.2.0" # orders',
    'steps:',
    '  - namespace: own',
    '    uses: ./own',
    '  - namespace: ship',
    '    uses: npm:@acme/orders@1.0.0#acme-new-order',
    '    # uses: acme-old-order@0.1.0',
  ].join('\n');
  const found = usesInText(text);
  expect(found.map(({ line, uses }) => [line, uses])).toEqual([
    [2, 'acme-new-order@0.2.0'],
    [7, 'npm:@acme/orders@1.0.0#acme-new-order'],
  ]);
  const lines = text.split('\n');
  for (const { line, start, end, uses } of found) {
    expect(lines[line]?.slice(start, end)).toBe(uses);
  }
});

test.each([
  ['acme-new-order@0.2.0', true],
  ['acme-new-order@0.2', true],
  ['acme-new-order@0', true],
  ['acme-new-order', true],
  ['acme-new-order@^0.2', true],
  ['acme-new-order@0.3.0', false],
  ['acme-new-order@0.20', false],
  ['acme-old-order@0.2.0', false],
  ['npm:@acme/orders@1.0.0#acme-new-order', true],
  ['npm:@acme/orders@1', true],
  ['npm:@acme/orders', true],
  ['npm:@acme/orders@2.0.0#acme-new-order', false],
  ['npm:@acme/orders@1.0.0#acme-other', false],
  ['npm:@other/orders@1.0.0', false],
  ['github:acme/components/new-order.mjs#main', false],
  ['acme-new-order@latest', false],
])('%s names what is locked: %s', (uses, isNamed) => {
  expect(findVersionStatus([locked], uses)).toBe(isNamed ? locked : undefined);
});

test('the lens says what there is to say, in one line and without icons of others', () => {
  expect(formatVersionStatus(locked)).toBe('$(arrow-circle-up) 0.3.0 available (0.2.0)');
  const still = { ...locked, newer: null };
  expect(formatVersionStatus(still)).toBeUndefined();
  expect(formatVersionStatus({ ...still, unpublished: true })).toBe(
    '$(warning) 0.2.0 was unpublished',
  );
  const deprecated = `loses $(zap)\norders ${'x'.repeat(90)}`;
  const said = formatVersionStatus({ ...still, deprecated }) ?? '';
  expect(said).toMatch(/^\$\(warning\) 0\.2\.0 is deprecated: loses \(zap\) orders x+…$/);
  expect(said.length).toBeLessThan(100);
});

test('a `uses` keeps its form', () => {
  expect(newerUses('acme-new-order@0.2.0', newer)).toBe('acme-new-order@0.3.0');
  expect(newerUses('npm:@acme/orders@1.0.0#acme-new-order', newer)).toBe(newer.reference);
});

test('the question of an update has what changes, and for whom', () => {
  const comparison = {
    key: 'acme-new-order',
    from: {
      key: 'acme-new-order',
      version: '0.2.0',
      source: 'npm' as const,
      registry: locked.registry,
      package: '@acme/orders',
      package_version: '1.0.0',
      commit: null,
      file: 'new-order.mjs',
      integrity: 'sha512-x',
      license: 'MIT',
      provenance: false,
      dependencies_hash: null,
    },
    to: newer,
    is_same: false,
    changes: [{ of: 'hosts' as const, message: 'New hosts: eu.acme.test.' }],
    code: { before: 'a', after: 'b' },
    used_by: locked.used_by.slice(0, 1),
    trust: null,
  };
  const detail = updateDetail(comparison);
  expect(detail).toContain('New hosts: eu.acme.test.');
  expect(detail).toContain('orders');
  expect(updateDetail({ ...comparison, changes: [] })).toContain('Nothing changes but its code.');
  expect(updateDetail({ ...comparison, changes: null })).toContain('not there any more');
  expect(updateDetail({ ...comparison, used_by: [] })).toContain('No source runs it.');
  expect(updateDetail(comparison, 'acme-new-order@0.2.0')).toContain(
    '"uses: acme-new-order@0.2.0" is changed in the workflow',
  );
});

test('the question of an eject names the sources, and what the workflow will say', () => {
  expect(ejectDetail(locked)).toContain('Sources that run the copy: orders.');
  expect(ejectDetail(locked)).not.toContain('shipping');
  expect(ejectDetail(locked, 'acme-new-order@0.2.0')).toContain('becomes the path of its file');
});
