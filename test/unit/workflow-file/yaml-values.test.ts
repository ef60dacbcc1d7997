import { expect, test } from 'vitest';
import { yamlValues } from '../../../src/workflow-file/yaml-values.ts';

const quotes = 'An expression has to be in quotes: put quotes around {{…}}.';

test.each([
  'a:\n  text: {{event.body.a}}\n',
  'a: {{ event.body.a }}\n',
  'a:\n  - {{event.a}}\n',
  'a: {{event.a}} and more\n',
  'a: {{event.list[0]}}\n',
  'a: {{event["x y"]}}\n',
  'a: {x: {{event.a}}, y: 1}\n',
  'a: [1, {{event.a}}]\n',
])('%j is told once how to write it', (text) => {
  const { root, problems } = yamlValues(text);
  expect(root).toBeUndefined();
  expect(problems.map(({ message }) => message)).toEqual([quotes]);
});

test.each(['a: "x {{b}}" c: d\n', "a: '{{b}}' c\n", 'a: {b: 1\n'])(
  'another mistake of %j is not taken for one of quotes',
  (text) => {
    const { problems } = yamlValues(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.map(({ message }) => message)).not.toContain(quotes);
  },
);

test('text before an expression needs no quotes', () => {
  expect(yamlValues('a: x {{event.a}}\n').root?.value).toEqual({ a: 'x {{event.a}}' });
});
