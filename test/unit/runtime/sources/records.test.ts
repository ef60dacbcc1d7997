import { expect, test } from 'vitest';
import { slugify, slugOf } from '../../../../src/runtime/sources/records.ts';
import { uniqueSlug } from '../../../../src/runtime/store/configuration/unique-slug.ts';

test.each([
  ['Hello, World!', 'hello-world'],
  ['New Commit (Instant)', 'new-commit-instant'],
  ["  What's new?  ", 'whats-new'],
  ['Überraschung à la carte', 'uberraschung-a-la-carte'],
  ['my_source.v2', 'my-source-v2'],
  ['日本語 2', '日本語-2'],
  ['Новый йогурт', 'новый-йогурт'],
  ['हिन्दी', 'हिन्दी'],
  ['Straße', 'straße'],
  ['Ｆｕｌｌ width', 'full-width'],
  ['--', ''],
])('slugify(%j) is %j', (name, slug) => {
  expect(slugify(name)).toBe(slug);
  expect(slugify(name.normalize('NFD'))).toBe(slug);
});

test('a name without a letter or digit has the id as slug, a blank one is refused', () => {
  expect(slugOf('🎉', 'dc_x7Kq2Pz')).toBe('dc-x7kq2pz');
  expect(() => slugOf(' ', 'dc_x7Kq2Pz')).toThrow('The name is empty.');
});

test.each([
  [[], 'x'],
  [['x'], 'x-1'],
  [['x', 'x-1', 'x-3'], 'x-2'],
  [['x-1'], 'x'],
])('beside %j, "x" becomes %j', (taken, slug) => {
  expect(uniqueSlug('x', new Set(taken))).toBe(slug);
});
