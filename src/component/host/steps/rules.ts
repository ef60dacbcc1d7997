import { isGroup, ruleOperator, type RuleOperator } from '../../../protocol/rule-operators.ts';
import type { Rule, Rules } from '../../../protocol/workflow.ts';
import { isDictionary } from '../values.ts';
import { ExpressionError, messageOfThrown } from './expressions.ts';
import { memberPath, resolveValues, textOf } from './resolve.ts';
import type { Scope } from './scope.ts';

/** A filter in the props of a step (`_filter`). */
export interface Filter {
  /** What happens if the rules are met: `'false'` ends the execution; with any other value it continues. */
  readonly continue?: unknown;
  readonly rules: Rules;
}

/** The filter that a step's props hold. Its rules are evaluated here; `resolveValues` is not for them. */
export function filterOf(props: Readonly<Record<string, unknown>>): Filter | undefined {
  const filter = props['_filter'];
  return isDictionary(filter) && isDictionary(filter['rules'])
    ? (filter as unknown as Filter)
    : undefined;
}

/** Whether the execution continues after a filter: as the filter says if its rules are met, otherwise the opposite. */
export function filterContinues(filter: Filter, scope: Scope, path: string): boolean {
  const goesOn = filter.continue !== 'false' && filter.continue !== false;
  return evaluateRules(filter.rules, scope, `${path}._filter.rules`) === goesOn;
}

/**
 * Whether rules are met. Each operand may be an expression, which is evaluated when its turn comes: what
 * follows the first rule that decides its group is not looked at. An empty group is met.
 * @param path where the rules stand, for messages
 * @param on what rules without a first operand (`a`) are about: the value that a switch compares
 * @throws ExpressionError for an operand that cannot be evaluated, and for an operator that does not exist
 */
export function evaluateRules(
  rules: Rules,
  scope: Scope,
  path: string,
  on?: { readonly value: unknown },
): boolean {
  const meets = (entry: Rule | Rules, index: number): boolean => {
    const at = `${path}.r[${index}]`;
    return isGroup(entry) ? evaluateRules(entry, scope, at, on) : isMet(entry, scope, at, on);
  };
  if (rules.r.length === 0) return true;
  return rules.t === 'or' ? rules.r.some(meets) : rules.r.every(meets);
}

function isMet(rule: Rule, scope: Scope, path: string, on?: { value: unknown }): boolean {
  const found = ruleOperator(rule.op);
  if (found === undefined) {
    throw new ExpressionError(
      path,
      undefined,
      `has the operator "${rule.op}", which does not exist`,
    );
  }
  const operand = (key: 'a' | 'b'): unknown => {
    if (key === 'a' && on !== undefined && rule.a === undefined) return on.value;
    return resolveValues(rule[key], scope, memberPath(path, key));
  };
  const text = (key: 'a' | 'b'): string => textOf(operand(key), memberPath(path, key));
  try {
    return answers[found.operator](operand, text) !== found.not;
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    const said = `cannot be evaluated: ${messageOfThrown(error)}`;
    throw new ExpressionError(path, undefined, said, error);
  }
}

type Operand = (key: 'a' | 'b') => unknown;
type Text = (key: 'a' | 'b') => string;

/** Operands are read as what is compared: a number may be given as its text, a text as a number. */
const answers: Readonly<Record<RuleOperator, (operand: Operand, text: Text) => boolean>> = {
  exist: (operand) => exists(operand),
  blank: (_operand, text) => text('a').trim() === '',
  'str=': (_operand, text) => text('a') === text('b'),
  'str^': (_operand, text) => text('a').startsWith(text('b')),
  'str/': (_operand, text) => text('a').includes(text('b')),
  str$: (_operand, text) => text('a').endsWith(text('b')),
  'num=': (operand) => numberOf(operand('a')) === numberOf(operand('b')),
  'num>': (operand) => numberOf(operand('a')) > numberOf(operand('b')),
  'num>=': (operand) => numberOf(operand('a')) >= numberOf(operand('b')),
  'num<': (operand) => numberOf(operand('a')) < numberOf(operand('b')),
  'num<=': (operand) => numberOf(operand('a')) <= numberOf(operand('b')),
  'bool=': (operand) => {
    const expected = booleanOf(operand('b'));
    return expected !== undefined && booleanOf(operand('a')) === expected;
  },
  isTrue: (operand) => booleanOf(operand('a')) === true,
  isFalse: (operand) => booleanOf(operand('a')) === false,
  isNull: (operand) => operand('a') === null,
  isStr: (operand) => typeof operand('a') === 'string',
  isNum: (operand) => typeof operand('a') === 'number',
  isBool: (operand) => typeof operand('a') === 'boolean',
};

/** Null exists. A member of a missing value does not, and is not an error here. */
function exists(operand: Operand): boolean {
  try {
    return operand('a') !== undefined;
  } catch (error) {
    if (error instanceof ExpressionError && isMissing(error.cause)) return false;
    throw error;
  }
}

function isMissing(thrown: unknown): boolean {
  return (
    thrown instanceof TypeError &&
    /^Cannot read properties of (?:undefined|null)\b/.test(thrown.message)
  );
}

/** NaN, which compares with nothing, for all but numbers, their texts and dates. */
function numberOf(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function booleanOf(value: unknown): boolean | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === true || text === 'true') return true;
  return text === false || text === 'false' ? false : undefined;
}
