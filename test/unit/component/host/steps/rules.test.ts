import { expect, test } from 'vitest';
import { ExpressionError } from '../../../../../src/component/host/steps/expressions.ts';
import {
  evaluateRules,
  filterContinues,
  filterOf,
} from '../../../../../src/component/host/steps/rules.ts';
import { ruleOperators } from '../../../../../src/protocol/rule-operators.ts';
import type { Rule, Rules } from '../../../../../src/protocol/workflow.ts';
import { scope } from './scope.ts';

const event = { name: 'Ann', empty: ' ', n: 5, text: '5', yes: true, none: null, list: ['a', 1] };
const met = (rules: Rules): boolean => evaluateRules(rules, scope({}, event), 'check');
const isMet = (rule: Rule): boolean => met({ t: 'and', r: [rule] });

const operators: [a: unknown, op: string, b: unknown, met: boolean][] = [
  ['{{ event.name }}', 'exist', undefined, true],
  ['{{ event.none }}', 'exist', undefined, true],
  ['{{ event.other }}', 'exist', undefined, false],
  ['{{ event.other.deep.er }}', 'exist', undefined, false],
  ['{{ event.other.deep.er }}', '!exist', undefined, true],
  [undefined, 'exist', undefined, false],
  ['{{ event.empty }}', 'blank', undefined, true],
  ['{{ event.none }}', 'blank', undefined, true],
  ['{{ event.name }}', 'blank', undefined, false],
  ['{{ {} }}', 'blank', undefined, false],
  ['{{ 0 }}', '!blank', undefined, true],
  ['{{ event.name }}', 'str=', 'Ann', true],
  ['{{ event.name }}', 'str=', 'ann', false],
  ['{{ event.n }}', 'str=', '5', true],
  ['{{ event.name }}', '!str=', '{{ "A" + "nn" }}', false],
  ['{{ event.name }}', 'str^', 'A', true],
  ['{{ event.name }}', 'str^', 'n', false],
  ['{{ event.name }}', 'str/', 'nn', true],
  ['{{ event.list }}', 'str/', '"a"', true],
  ['{{ event.name }}', 'str/', 'x', false],
  ['{{ event.name }}', 'str$', 'n', true],
  ['{{ event.name }}', 'str$', 'A', false],
  ['{{ event.n }}', 'num=', '5.0', true],
  ['{{ event.text }}', 'num=', 5, true],
  ['{{ event.n }}', 'num!=', 6, true],
  ['{{ event.none }}', 'num=', 0, false],
  ['{{ event.empty }}', 'num=', 0, false],
  ['{{ event.n }}', 'num>', 4, true],
  ['{{ event.n }}', 'num>', 5, false],
  ['{{ event.n }}', 'num>', '10', false],
  ['{{ event.n }}', 'num>=', 5, true],
  ['{{ event.n }}', 'num>=', 6, false],
  ['{{ event.n }}', 'num<', 6, true],
  ['{{ event.n }}', 'num<', 5, false],
  ['{{ event.n }}', 'num<=', 5, true],
  ['{{ event.other }}', 'num<=', 5, false],
  ['{{ new Date(2) }}', 'num>', '{{ new Date(1) }}', true],
  ['{{ event.yes }}', 'bool=', 'true', true],
  ['{{ event.yes }}', 'bool=', false, false],
  ['{{ event.name }}', 'bool=', '{{ event.name }}', false],
  ['{{ event.yes }}', 'isTrue', undefined, true],
  ['True', 'isTrue', undefined, true],
  ['{{ event.n }}', 'isTrue', undefined, false],
  ['{{ !event.yes }}', 'isFalse', undefined, true],
  ['{{ event.other }}', 'isFalse', undefined, false],
  ['{{ event.none }}', 'isNull', undefined, true],
  ['{{ event.other }}', 'isNull', undefined, false],
  ['{{ event.text }}', 'isStr', undefined, true],
  ['{{ event.n }}', 'isStr', undefined, false],
  ['{{ event.n }}', 'isNum', undefined, true],
  ['{{ event.text }}', '!isNum', undefined, true],
  ['{{ event.yes }}', 'isBool', undefined, true],
  ['{{ event.none }}', 'isBool', undefined, false],
];

test.for(operators)('%s %s %s: %s', ([a, op, b, expected]) => {
  expect(isMet({ a, op, b })).toBe(expected);
  expect(isMet({ a, op: `!${op}`, b })).toBe(!expected);
});

test('every operator is tried', () => {
  const tried = new Set(operators.map(([, op]) => op));
  expect(Object.keys(ruleOperators).filter((operator) => !tried.has(operator))).toEqual([]);
});

const yes: Rule = { a: 'x', op: 'exist' };
const no: Rule = { a: 'x', op: '!exist' };
const broken: Rule = { a: '{{ event.other.deep }}', op: 'str=', b: '' };

test('groups are and, or, and groups of these; what follows the first that decides is not evaluated', () => {
  expect(met({ t: 'and', r: [yes, yes] })).toBe(true);
  expect(met({ t: 'and', r: [yes, no, broken] })).toBe(false);
  expect(met({ t: 'or', r: [no, yes, broken] })).toBe(true);
  expect(met({ t: 'or', r: [no, { t: 'and', r: [yes, no] }] })).toBe(false);
  expect(met({ t: 'or', r: [no, { t: 'or', r: [no, yes] }, broken] })).toBe(true);
  expect([met({ t: 'and', r: [] }), met({ t: 'or', r: [] })]).toEqual([true, true]);
});

test('an error names the operand, or the operator that does not exist', () => {
  expect(() => met({ t: 'and', r: [yes, { t: 'or', r: [broken] }] })).toThrow(
    /^check\.r\[1\]\.r\[0\]\.a: \{\{ event\.other\.deep \}\} threw TypeError: Cannot read properties of/,
  );
  expect(() => isMet({ a: 1, op: 'like', b: 2 })).toThrow(
    'check.r[0] has the operator "like", which does not exist',
  );
  // Only what is missing does not exist: other mistakes are told.
  expect(() => isMet({ a: '{{ evnt.a }}', op: 'exist' })).toThrow('evnt is not defined');
  expect(() => isMet({ a: '{{ event.name.nothing() }}', op: 'exist' })).toThrow(
    'is not a function',
  );
});

test.for(Object.keys(ruleOperators))('%s throws nothing else for odd operands', (op) => {
  const odd = '{{ new Proxy({}, { getPrototypeOf() { throw 1 }, get() { throw 2 } }) }}';
  try {
    expect(isMet({ a: odd, op, b: odd })).toBeTypeOf('boolean');
  } catch (error) {
    expect(error instanceof ExpressionError).toBe(true);
  }
});

test('a filter goes on or ends as it says when its rules are met, else the opposite', () => {
  const goesOn = (toContinue: unknown, rule: Rule): boolean => {
    const filter = filterOf({ _filter: { continue: toContinue, rules: { t: 'and', r: [rule] } } });
    if (filter === undefined) throw new Error('There is no filter.');
    return filterContinues(filter, scope({}, event), 'only');
  };
  expect([goesOn('true', yes), goesOn('true', no)]).toEqual([true, false]);
  expect([goesOn('false', yes), goesOn('false', no)]).toEqual([false, true]);
  expect([goesOn(false, yes), goesOn(undefined, yes)]).toEqual([false, true]);
  expect(() => goesOn('true', broken)).toThrow('only._filter.rules.r[0].a: {{ event.other.deep }}');
  expect([filterOf({}), filterOf({ _filter: 'x' }), filterOf({ _filter: {} })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
