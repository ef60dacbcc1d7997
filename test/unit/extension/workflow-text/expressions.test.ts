import { expect, test } from 'vitest';
import { readsOf } from '../../../../src/extension/workflow-text/code-reads.ts';
import { chainAt, stepNameAt } from '../../../../src/extension/workflow-text/expression-at.ts';
import { namesBelow, newestValue } from '../../../../src/extension/workflow-text/known-values.ts';

/** `|` is the cursor. */
function at(text: string) {
  return chainAt(text.replace('|', ''), text.indexOf('|'));
}

test.each([
  ["a: '{{|}}'", [], ''],
  ["a: '{{st|}}'", [], 'st'],
  ["a: '{{steps.|}}'", ['steps'], ''],
  ["a: '{{steps.greet.$ret|urn_value}}'", ['steps', 'greet'], '$return_value'],
  ['a: "{{steps[\'greet\'].list[0].na|"', ['steps', 'greet', 'list', '0'], 'na'],
  ["a: 'x {{a}} {{event?.body?.|}} y'", ['event', 'body'], ''],
  ['a: >-\n    {{steps.one\n    .two.|', ['steps', 'one', 'two'], ''],
  ["a: '{{f(steps.one.b) + steps.two.|}}'", ['steps', 'two'], ''],
])('the chain in %s', (text, names, word) => {
  expect(at(text)).toMatchObject({ names, word });
});

test.each([["a: 'steps.|'"], ["a: '{{steps.one}}|'"], ["a: '{{steps.one\nb: steps.|"]])(
  'no expression in %s',
  (text) => {
    expect(at(text)).toBeUndefined();
  },
);

test('names below a chain are those of every run, with the newest value of each', () => {
  const runs = [
    { steps: { one: { n: 2, list: [1, 2] } } },
    { steps: { one: { n: 1, sometimes: 'x' } } },
  ];
  expect(namesBelow(runs, ['steps', 'one'])).toEqual([
    { name: 'n', type: 'number', value: '2' },
    { name: 'list', type: 'list of 2', value: '[1,2]' },
    { name: 'sometimes', type: 'string', value: '"x"' },
  ]);
  expect(namesBelow(runs, ['steps', '__proto__'])).toEqual([]);
  expect(newestValue(runs, ['steps', 'one', 'sometimes'])).toBe('x');
});

test('the step of a line is the last that begins above it', () => {
  const steps = [
    { namespace: 'one', line: 3 },
    { namespace: 'two', line: 8 },
  ];
  expect([2, 3, 7, 9].map((line) => stepNameAt(steps, line))).toEqual([
    undefined,
    'one',
    'one',
    'two',
  ]);
});

test('where code reads a step, and not another one whose name begins so', () => {
  const code = `steps.one.a; steps['one']; steps?.one; pd.steps["one"]; steps.one_more; mysteps.one`;
  expect([...readsOf(code, 'one')].map((offset) => code.slice(offset - 2, offset + 3))).toEqual([
    's.one',
    "['one",
    '?.one',
    '["one',
  ]);
});
