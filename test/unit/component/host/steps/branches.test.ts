import { expect, test } from 'vitest';
import {
  chooseBranches,
  type BlockHead,
} from '../../../../../src/component/host/steps/branches.ts';
import type { Condition } from '../../../../../src/protocol/workflow.ts';
import { scope } from './scope.ts';

const event = { path: '/a', status: 200, list: [1, 'two', { three: 3 }] };
const choose = (block: BlockHead): readonly string[] => {
  const choice = chooseBranches(block, scope({}, event));
  expect(choice.kind).toBe(block.control === 'each' ? 'items' : 'branches');
  return choice.kind === 'items' ? choice.items : choice.names;
};

const startOf = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[^\w ]/g, String.raw`\$&`)}`);
const value = (given: unknown): Condition => ({ is: 'value', value: given });
const block = (
  control: BlockHead['control'],
  conditions: Readonly<Record<string, Condition>>,
  more: Partial<BlockHead> = {},
): BlockHead => ({
  namespace: 'check',
  control,
  branches: Object.entries(conditions).map(([name, when]) => ({ name, when })),
  ...more,
});

const always: Condition = { is: 'always' };
const never: Condition = { is: 'never' };
const broken = value('{{ event.other.deep }}');
const elseOn = { otherwise: { disabled: false } };
const elseOff = { otherwise: { disabled: true } };

test('W46: the first branch that matches, and no condition behind it is evaluated', () => {
  const conditions = {
    a: value('{{ event.status > 300 }}'),
    b: value('{{ event.status }}'),
    c: broken,
  };
  expect(choose(block('ifelse', conditions, elseOn))).toEqual(['b']);
  const rules: Condition = {
    is: 'rules',
    rules: { t: 'and', r: [{ a: '{{ event.path }}', op: 'str^', b: '/' }] },
  };
  expect(choose(block('ifelse', { never, rules, broken }))).toEqual(['rules']);
});

test('W46: no match is the else branch, and nothing without one or with a disabled one', () => {
  const conditions = { a: value(false), b: never };
  expect(choose(block('ifelse', conditions, elseOn))).toEqual(['$else']);
  expect(choose(block('ifelse', conditions, elseOff))).toEqual([]);
  expect(choose(block('ifelse', conditions))).toEqual([]);
  expect(
    choose(block('switch', { a: value('/b') }, { on: '{{ event.path }}', ...elseOn })),
  ).toEqual(['$else']);
});

test.for<[on: unknown, when: Condition, matches: boolean]>([
  ['{{ event.path }}', value('/a'), true],
  ['{{ event.path }}', value('/A'), false],
  ['{{ event.status }}', value('200'), true],
  ['{{ event.status }}', value(200), true],
  ['{{ event.status }}', value('{{ 100 * 2 }}'), true],
  ['{{ event.list }}', value([1, 'two', { three: 3 }]), true],
  ['{{ event.other }}', value(null), true],
  ['{{ event.other }}', value(''), false],
  ['{{ false }}', value(''), false],
  ['{{ false }}', value('false'), true],
  ['{{ event.status }}', always, true],
  ['{{ event.status }}', never, false],
  ['{{ event.status }}', { is: 'rules', rules: { t: 'and', r: [{ op: 'num<', b: 300 }] } }, true],
  [
    '{{ event.status }}',
    { is: 'rules', rules: { t: 'and', r: [{ a: 1, op: 'num>', b: 2 }] } },
    false,
  ],
])('a switch on %s, case %j: %s', ([on, when, matches]) => {
  expect(choose(block('switch', { a: when }, { on }))).toEqual(matches ? ['a'] : []);
});

test('W48: every branch of a parallel block whose condition holds, in their order', () => {
  const conditions = { a: always, b: never, c: value('{{ event.status === 200 }}'), d: value(0) };
  expect(choose(block('parallel', conditions))).toEqual(['a', 'c']);
  expect(() => choose(block('parallel', { a: always, broken }))).toThrow(
    'check.broken.when: {{ event.other.deep }} threw TypeError',
  );
});

test.for<[on: unknown, items: string[]]>([
  ['{{ event.list }}', ['1', '"two"', '{"three":3}']],
  [
    ['{{ event.status }}', 'b'],
    ['200', '"b"'],
  ],
  ['{{ new Set([1, 2]) }}', ['1', '2']],
  ['{{ Object.entries({ a: 1 }) }}', ['["a",1]']],
  ['{{ (function* () { yield 1; })() }}', ['1']],
  ['{{ [undefined, null, () => {}, 1n] }}', ['null', 'null', 'null', '"1"']],
  ['{{ [] }}', []],
])('each of %s', ([on, items]) => {
  expect(choose(block('each', {}, { on }))).toEqual(items);
});

test.for<[on: unknown, message: string]>([
  [
    '{{ { a: 1 } }}',
    'check.on: {{ { a: 1 } }} gives an object, and a loop needs a list; Object.entries(…) makes one of an object',
  ],
  ['{{ event.other }}', 'check.on: {{ event.other }} gives undefined, and a loop needs a list'],
  ['{{ 5 }}', 'check.on: {{ 5 }} gives a number, and a loop needs a list'],
  ['text', 'check.on gives a string, and a loop needs a list'],
  ['{{ event.other.deep }}', 'check.on: {{ event.other.deep }} threw TypeError'],
  [
    '{{ Array(100001).fill(0) }}',
    'check.on: {{ Array(100001).fill(0) }} gives more than 100000 items',
  ],
  [
    '{{ (function* () { for (;;) yield 1; })() }}',
    'check.on: {{ (function* () { for (;;) yield 1; })() }} gives more than 100000 items',
  ],
  [
    '{{ Array(20).fill("x".repeat(5e6)) }}',
    'check.on: {{ Array(20).fill("x".repeat(5e6)) }} gives items of more than 64 MB of JSON',
  ],
  [
    '{{ ["x".repeat(7e6)] }}',
    'check.on: {{ ["x".repeat(7e6)] }} gives a list that cannot be read: RangeError: Item 0 is 6.7 MB',
  ],
  [
    '{{ (function* () { yield 1; throw new Error("no more"); })() }}',
    'check.on: {{ (function* () { yield 1; throw new Error("no more"); })() }} gives a list that cannot be read: Error: no more',
  ],
])('each of %s is refused', ([on, message]) => {
  expect(() => choose(block('each', {}, { on }))).toThrow(
    expect.objectContaining({
      name: 'ExpressionError',
      message: expect.stringMatching(startOf(message)) as unknown,
    }),
  );
});
