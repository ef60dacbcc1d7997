import { expect, test } from 'vitest';
import { differenceLine } from '../../../../src/extension/tests/difference-line.ts';
import { differences } from '../../../../src/runtime/workflows/tests/compare.ts';

const text = `event: {}
expect:
  status: succeeded
  steps:
    total:
      $return_value:
        items:
          - { price: 1 }
          - price: 2
        "two words": 3
  response: { status: 200 }
`;

test.each([
  ['status', 2],
  ['steps.total.$return_value.items[0].price', 7],
  ['steps.total.$return_value.items[1].price', 8],
  ['steps.total.$return_value["two words"]', 9],
  ['response.status', 10],
  // The length of a list that is as long in the file as what it expects.
  ['steps.total.$return_value.items.length', 6],
  ['nothing.of.it', 1],
])('%s is expected in line %i', (path, line) => {
  expect(differenceLine(text, path)).toBe(line);
});

test('a text that is no YAML has its first line', () => {
  expect(differenceLine('a: [', 'status')).toBe(0);
});

test('every path that a comparison gives is found, whatever the names', async () => {
  const names = ['a', '$return_value', 'with space', 'quo"te', 'dotted.name', '0', '[0]'];
  for (const name of names) {
    const [difference] = await differences({ x: { [name]: 1 } }, { x: { [name]: 2 } });
    const yaml = `expect:\n  x:\n    ${JSON.stringify(name)}: 1\n`;
    expect(differenceLine(yaml, difference?.path ?? '')).toBe(2);
  }
});
