import { expect, test } from 'vitest';
import { slugify, uniqueSlug } from '../../../../src/runtime/lifecycle/slug.ts';

test.each([
  ['Hello, World!', 'hello-world'],
  ['New Commit (Instant)', 'new-commit-instant'],
  ["  What's new?  ", 'whats-new'],
  ['Überraschung à la carte', 'uberraschung-a-la-carte'],
  ['my_source.v2', 'my-source-v2'],
  ['日本語', ''],
  ['--', ''],
])('slugify(%j) is %j', (name, slug) => {
  expect(slugify(name)).toBe(slug);
});

test.each([
  [[], 'x'],
  [['x'], 'x-1'],
  [['x', 'x-1', 'x-3'], 'x-2'],
  [['x-1'], 'x'],
])('beside %j, "x" becomes %j', (taken, slug) => {
  expect(uniqueSlug('x', new Set(taken))).toBe(slug);
});
