import { describe, expect, test } from 'vitest';
import { ruleOperators } from '../../../../src/protocol/rule-operators.ts';
import type { Control } from '../../../../src/webview/builder/messages.ts';
import {
  braced,
  canonical,
  canShow,
  conditionInWords,
  conditionKind,
  conditionKinds,
  converted,
  operand,
  operatorGroups,
  type ConditionKind,
} from '../../../../src/webview/builder/rules.ts';
import { rulesSchema } from '../../../../src/runtime/workflows/file/schema.ts';

const rules = { t: 'and', r: [{ a: '{{event.n}}', op: 'num>', b: 3 }] };

describe('a condition', () => {
  test.for<[when: unknown, control: Control, kind: ConditionKind]>([
    ['{{event.n > 3}}', 'ifelse', 'expression'],
    [undefined, 'ifelse', 'expression'],
    [undefined, 'parallel', 'always'],
    ['always', 'ifelse', 'always'],
    ['never', 'parallel', 'never'],
    ['always', 'switch', 'value'],
    [200, 'switch', 'value'],
    [undefined, 'switch', 'value'],
    [null, 'switch', 'json'],
    [rules, 'ifelse', 'rules'],
    [rules, 'switch', 'rules'],
    [{ t: 'and', r: [rules, { op: 'exist' }] }, 'ifelse', 'rules'],
    [{ t: 'and', r: [{ a: 1, op: 'what?' }] }, 'ifelse', 'rules'],
    [{ ...rules, note: 'mine' }, 'ifelse', 'json'],
    [{ t: 'xor', r: [] }, 'ifelse', 'json'],
    [{ t: 'and', r: [{ op: 'exist', note: 'mine' }] }, 'ifelse', 'json'],
    [{ t: 'and', r: [{ a: 1 }] }, 'ifelse', 'json'],
    [['a'], 'switch', 'json'],
    [true, 'ifelse', 'json'],
  ])('%j of %s is shown as %s', ([when, control, kind]) => {
    expect(conditionKind(when, control)).toBe(kind);
    expect(conditionKinds(control)).toContain(kind);
  });

  test.for<[when: unknown, to: ConditionKind, control: Control, value: unknown]>([
    ['{{event.n}}', 'rules', 'ifelse', { t: 'and', r: [{ a: '{{event.n}}', op: 'isTrue' }] }],
    ['DE', 'rules', 'switch', { t: 'and', r: [{ op: 'str=', b: 'DE' }] }],
    [rules, 'expression', 'ifelse', '{{event.n}}'],
    [{ t: 'and', r: [] }, 'expression', 'ifelse', '{{true}}'],
    [{ t: 'and', r: [{ op: 'str=', b: 'DE' }] }, 'value', 'switch', 'DE'],
    [rules, 'never', 'parallel', 'never'],
  ])('%j becomes %s of %s', ([when, to, control, value]) => {
    expect(converted(when, to, control)).toEqual(value);
    expect(conditionKind(value, control)).toBe(to);
  });

  test.for<[when: unknown, control: Control, words: string]>([
    [rules, 'ifelse', 'when event.n is greater than 3'],
    [
      { t: 'or', r: [{ a: '{{event.a}}', op: '!exist' }, rules] },
      'ifelse',
      'when event.a does not exist or (event.n is greater than 3)',
    ],
    [{ t: 'or', r: [] }, 'ifelse', 'when always'],
    ['DE', 'switch', 'when it is DE'],
    ['never', 'parallel', 'never'],
  ])('%j of %s in words', ([when, control, words]) => {
    expect(conditionInWords(when, control)).toBe(words);
  });
});

describe('the operators', () => {
  const choices = operatorGroups.flatMap((group) => group.choices);

  test('are all there, each with its opposite, and in other words', () => {
    const codes = Object.keys(ruleOperators).flatMap((code) => [code, `!${code}`]);
    expect(choices.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
    expect(new Set(choices.map(({ words }) => words)).size).toBe(choices.length);
  });

  test.for([
    ['!exist', 'does not exist'],
    ['!blank', 'is not blank'],
    ['!str=', 'does not equal the text'],
    ['!num>', 'is not greater than'],
  ])('%s: %s', ([code, words]) => {
    expect(choices.find((one) => one.code === code)?.words).toBe(words);
  });

  test('are found however they are spelt', () => {
    expect(canonical('!=')).toBe('!str=');
    expect(canonical('>')).toBe('num>');
    expect(canonical('str~')).toBeUndefined();
  });
});

test.for<[text: string, op: string, before: unknown, value: unknown]>([
  ['3', 'num>', '', 3],
  ['3', 'str=', '', '3'],
  ['3', 'str=', 2, 3],
  ['1.50', 'num=', 1, '1.50'],
  ['007', 'num=', '', '007'],
  ['{{event.n}}', 'num>', 3, '{{event.n}}'],
  ['true', 'bool=', '', true],
  ['true', 'str=', '', 'true'],
  ['', 'num>', 3, ''],
  ['[1]', 'str/', ['a'], [1]],
  ['[1', 'str/', ['a'], '[1'],
])('%j for %s in place of %j is %j', ([text, op, before, value]) => {
  expect(operand(text, op, before)).toEqual(value);
});

test.for([
  ['steps.total.$return_value', '{{steps.total.$return_value}}'],
  [' event.body["n"]', '{{event.body["n"]}}'],
  ['{{steps.a}}', '{{steps.a}}'],
  ['steps', 'steps'],
  ['stepsister', 'stepsister'],
  ['{{steps.a}} and', '{{steps.a}} and'],
])('what is looked at, typed as %j, is %j', ([typed, value]) => {
  expect(braced(typed!)).toBe(value);
});

test('what is shown as rules is what the file calls rules', () => {
  for (const value of [rules, { t: 'or', r: [rules, { op: 'exist' }] }, { t: 'and', r: [] }]) {
    expect(canShow(value)).toBe(true);
    expect(rulesSchema.safeParse(value).success).toBe(true);
  }
});
