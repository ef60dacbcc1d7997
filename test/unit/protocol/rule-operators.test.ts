import { expect, test } from 'vitest';
import {
  ruleOperator,
  ruleOperators,
  unknownOperators,
} from '../../../src/protocol/rule-operators.ts';
import type { Rules } from '../../../src/protocol/workflow.ts';

test.for<[code: string, found: ReturnType<typeof ruleOperator>]>([
  ['str/', { operator: 'str/', not: false }],
  ['!exist', { operator: 'exist', not: true }],
  ['exists', { operator: 'exist', not: false }],
  ['!=', { operator: 'str=', not: true }],
  ['num!=', { operator: 'num=', not: true }],
  ['!num!=', { operator: 'num=', not: false }],
  [' >= ', { operator: 'num>=', not: false }],
  ['', undefined],
  ['!', undefined],
  ['toString', undefined],
  ['str/g', undefined],
])('%s', ([code, found]) => {
  expect(ruleOperator(code)).toEqual(found);
});

test('every operator can be turned round', () => {
  for (const operator of Object.keys(ruleOperators)) {
    expect(ruleOperator(operator)).toEqual({ operator, not: false });
    expect(ruleOperator(`!${operator}`)).toEqual({ operator, not: true });
  }
});

test('operators that do not exist are named once, at any depth', () => {
  const rules: Rules = {
    t: 'and',
    r: [
      { a: 1, op: 'like' },
      { a: 1, op: '!exist' },
      { t: 'or', r: [{ op: 'like' }, { t: 'and', r: [{ op: 'constructor' }] }] },
    ],
  };
  expect(unknownOperators(rules)).toEqual(['like', 'constructor']);
  expect(unknownOperators({ t: 'or', r: [] })).toEqual([]);
});
