import { expect, test } from 'vitest';
import { nearest } from '../../../../src/extension/authoring/nearest.ts';

const words = ['integer', 'string', 'string[]', 'key', 'run', 'options', 'optional', 'hooks'];

test.each([
  ['interger', 'integer'],
  ['inetger', 'integer'],
  ['Integer', 'integer'],
  ['strin', 'string'],
  ['strng[]', 'string[]'],
  ['optons', 'options'],
  ['hook', 'hooks'],
  ['kye', 'key'],
  ['keys', 'key'],
  ['runs', 'run'],
])('%s is %s', (typed, meant) => {
  expect(nearest(typed, words)).toBe(meant);
});

test.each(['float', 'kin', 'sun2', 'x', '', 'kyes', 'inte'])('%s is none', (typed) => {
  expect(nearest(typed, words)).toBeUndefined();
});
