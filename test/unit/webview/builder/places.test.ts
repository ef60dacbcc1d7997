import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { moved, placeAfterMove } from '../../../../src/extension/builder/edits.ts';
import { followed, neighbour, placesFor } from '../../../../src/webview/builder/places.ts';
import { valueAt } from '../../../../src/workflow-file/steps-in.ts';

const values = {
  steps: [
    { namespace: 'a', uses: './a/entry.js' },
    {
      namespace: 'if',
      control: 'ifelse',
      branches: [{ name: 'yes', steps: [{ namespace: 'b', uses: './b/entry.js' }] }],
      else: { steps: [] },
    },
    { namespace: 'loop', control: 'each', on: '{{[]}}', steps: [] },
  ],
};

test('a step may go wherever it is not already, in words', () => {
  expect(placesFor(values, ['steps', 0]).map(({ label }) => label)).toEqual([
    'if › yes › before b',
    'if › yes › at the end',
    'if › else › at the end',
    'before loop',
    'loop › at the end',
    'at the end',
  ]);
});

test('a block may not go into itself', () => {
  expect(placesFor(values, ['steps', 1]).map(({ label }) => label)).toEqual([
    'before a',
    'loop › at the end',
    'at the end',
  ]);
});

test('every place is one that the text can have', () => {
  const text = stringify(values);
  for (const from of [
    ['steps', 0],
    ['steps', 1],
    ['steps', 1, 'branches', 0, 'steps', 0],
  ]) {
    const step = valueAt(values, from);
    const places = placesFor(values, from);
    expect(places.length).toBeGreaterThan(2);
    for (const { path } of places) {
      const after = moved(text, from, path);
      expect(after).not.toBe(text);
      expect(valueAt(parse(after), placeAfterMove(from, path))).toEqual(step);
    }
  }
});

test('up and down end with the list', () => {
  expect(neighbour(values, ['steps', 0], -1)).toBeUndefined();
  expect(neighbour(values, ['steps', 0], 1)).toEqual(['steps', 2]);
  expect(neighbour(values, ['steps', 2], -1)).toEqual(['steps', 1]);
  expect(neighbour(values, ['steps', 2], 1)).toBeUndefined();
  expect(neighbour(values, ['steps', 1, 'branches', 0], 1)).toBeUndefined();
  expect(neighbour(values, ['steps', 1, 'else'], 1)).toBeUndefined();
});

test('what is unfolded is followed to where the next text has it', () => {
  const [a, block, loop] = values.steps;
  const branch = ['steps', 1, 'branches', 0];
  expect(followed(values, { steps: [loop, a, block] }, ['steps', 2])).toEqual(['steps', 0]);
  expect(followed(values, { steps: [block, a, loop] }, branch)).toEqual([
    'steps',
    0,
    'branches',
    0,
  ]);
  expect(followed(values, { steps: [block] }, [...branch, 'steps', 0])).toEqual([
    'steps',
    0,
    'branches',
    0,
    'steps',
    0,
  ]);
  expect(
    followed(values, { steps: [{ ...a, namespace: 'new' }, block, loop] }, ['steps', 0]),
  ).toEqual(['steps', 0]);
  // In its place stands another one that was there before.
  expect(followed(values, { steps: [block, loop] }, ['steps', 0])).toBeUndefined();
  expect(followed(values, { steps: [a, block] }, ['steps', 2])).toBeUndefined();
  expect(followed(values, { steps: [a, loop] }, [...branch.slice(0, 2), 'else'])).toBeUndefined();
  expect(followed(values, { steps: [] }, [])).toEqual([]);
});
