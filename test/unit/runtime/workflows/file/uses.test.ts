import { expect, test } from 'vitest';
import { nearestWord } from '../../../../../src/runtime/workflows/file/nearest-word.ts';
import { stepCodeOf } from '../../../../../src/runtime/workflows/file/uses.ts';

test.for([
  ['./a/entry.js', { kind: 'file', path: './a/entry.js', language: 'node' }],
  ['./a/entry.mts', { kind: 'file', path: './a/entry.mts', language: 'node' }],
  ['./a/entry.py', { kind: 'file', path: './a/entry.py', language: 'python' }],
  ['./a/entry.sh', { kind: 'file', path: './a/entry.sh', language: 'bash' }],
  ['../parts/post it.mjs', { kind: 'file', path: '../parts/post it.mjs', language: 'node' }],
  ['key_1-do-it@1.2.3', { kind: 'published', key: 'key_1-do-it', version: '1.2.3' }],
  ['@acme/erp-post@1.0.0', { kind: 'published', key: '@acme/erp-post', version: '1.0.0' }],
  ['a-b@0.0.1-beta.1', { kind: 'published', key: 'a-b', version: '0.0.1-beta.1' }],
] as const)('%s', ([uses, code]) => {
  expect(stepCodeOf(uses)).toEqual(code);
});

test.for([
  ['./a/entry.go', 'is a step in Go, which Weir does not run'],
  ['./a/entry', 'must end in .js, .mjs, .ts, .mts, .py, .sh'],
  ['./a/entry.constructor', 'must end in'],
  [String.raw`.\a\entry.js`, 'must have "/" between folders'],
  ['a-b', 'needs a version behind the component\'s key, as in "a-b@0.0.1"'],
  ['a/entry.js', 'must begin with "./" to be a file: "./a/entry.js"'],
  ['/etc/entry.js', 'must be a file beside this one'],
  ['a-b@latest', 'must be a file beside this one'],
  ['', 'must be a file beside this one'],
] as const)('%s is not found by anybody', ([uses, wrong]) => {
  expect(stepCodeOf(uses)).toMatchObject({ wrong: expect.stringContaining(wrong) });
});

test.for([
  ['onError', 'on_error'],
  ['setings', 'settings'],
  ['namepsace', 'namespace'],
  ['prosp', 'props'],
  ['x-owner', undefined],
  ['a', undefined],
  ['s'.repeat(10_000), undefined],
] as const)('%s', ([written, meant]) => {
  const words = ['namespace', 'uses', 'props', 'settings', 'on_error', 'retry'];
  expect(nearestWord(written, words)).toBe(meant);
});
