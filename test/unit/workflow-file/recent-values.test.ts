import { expect, test } from 'vitest';
import { withValue } from '../../../src/workflow-file/edit.ts';
import { recentValues } from '../../../src/workflow-file/recent-values.ts';

const text = (n: number): string => `name: w${n}\nsteps:\n  - namespace: a\n`;

test('a text and the one after it are read once', () => {
  const [first, second] = [recentValues(text(1)), recentValues(text(2))];
  expect(recentValues(text(1))).toBe(first);
  expect(recentValues(text(2))).toBe(second);
  recentValues(text(3));
  expect(recentValues(text(2))).toBe(second);
  expect(recentValues(text(1))).not.toBe(first);
  expect(recentValues(text(1))).toEqual(first);
});

test('an edit leaves what was read as it was', () => {
  const before = structuredClone(recentValues(text(4)).root?.value);
  withValue(text(4), ['steps', 0, 'namespace'], 'b');
  expect(recentValues(text(4)).root?.value).toEqual(before);
});
