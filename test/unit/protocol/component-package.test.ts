import { expect, test } from 'vitest';
import { componentPackage } from '../../../src/protocol/schemas/component-package.ts';

const component = { file: 'sources/new/new.mjs', type: 'source', version: '0.1.0', name: 'New' };

test('a map of components is read, with what it may leave out', () => {
  const map = { schema: 1, components: { 'acme-new': component }, later: true };
  expect(componentPackage.parse(map)).toEqual({
    schema: 1,
    components: { 'acme-new': { ...component, apps: [], hosts: [] } },
    later: true,
  });
});

test.each([
  ['a file outside of the package', { ...component, file: '../x.mjs' }],
  ['an absolute file', { ...component, file: '/etc/passwd' }],
  ['a path of Windows', { ...component, file: 'a\\b.mjs' }],
  ['an app', { ...component, type: 'app' }],
])('a map with %s is refused', (_what, wrong) => {
  expect(
    componentPackage.safeParse({ schema: 1, components: { 'acme-new': wrong } }),
  ).toMatchObject({ success: false });
});
