/** What the rules editor shows of rules, and the values that it makes (pure). */
import {
  isGroup,
  ruleOperator,
  ruleOperators,
  type RuleOperator,
} from '../../protocol/rule-operators.ts';
import type { Rule, Rules } from '../../protocol/workflow.ts';
import { textOf } from '../prop-form/values.ts';
import { isRecord } from '../../protocol/record.ts';
import type { Control, Values } from './messages.ts';

/** The holder of rules: a block with branches, or a filter step. */
export type RulesHolder = Control | 'filter';

/** How a branch says when it runs. */
export type ConditionKind = 'rules' | 'expression' | 'value' | 'always' | 'never' | 'json';

/** What a person may choose, in the order that it is offered. */
export function conditionKinds(control: Control): readonly ConditionKind[] {
  return control === 'switch'
    ? ['value', 'rules', 'json']
    : ['rules', 'expression', 'always', 'never', 'json'];
}

/** The kind of `when` in the file: `json` if no other kind can show all of it. */
export function conditionKind(when: unknown, control: Control): ConditionKind {
  if (isRecord(when)) return canShow(when) ? 'rules' : 'json';
  if (Array.isArray(when)) return 'json';
  if (control === 'switch') return when === null ? 'json' : 'value';
  if (when === 'always' || when === 'never') return when;
  if (when === undefined || when === null) return control === 'parallel' ? 'always' : 'expression';
  return typeof when === 'string' ? 'expression' : 'json';
}

/**
 * The value of another kind that says most of what was said before.
 * @returns undefined where the value stays as it is
 */
export function converted(when: unknown, to: ConditionKind, control: Control): unknown {
  if (to === 'always' || to === 'never') return to;
  if (to === 'rules') return { t: 'and', r: [firstRule(when, control)] };
  if (to === 'expression') {
    const only = isRecord(when) ? onlyRule(when) : undefined;
    return only !== undefined && textOf(only.a).startsWith('{{') ? only.a : '{{true}}';
  }
  if (to === 'value') {
    const only = isRecord(when) ? onlyRule(when) : undefined;
    return typeof only?.b === 'string' ? only.b : 'value';
  }
  return undefined;
}

function firstRule(when: unknown, control: Control): Rule {
  if (control === 'switch') return { op: 'str=', b: typeof when === 'string' ? when : '' };
  const isExpression = typeof when === 'string' && when.includes('{{');
  return isExpression ? { a: when, op: 'isTrue' } : newRule(control);
}

function onlyRule(rules: Values): Rule | undefined {
  const entries = canShow(rules) ? rules.r : [];
  const [first] = entries;
  return entries.length === 1 && first !== undefined && !isGroup(first) ? first : undefined;
}

/** Whether the editor shows everything that the value says, so that no change of it loses anything. */
export function canShow(value: unknown): value is Rules {
  return (
    isRecord(value) &&
    hasOnly(value, ['t', 'r']) &&
    (value['t'] === 'and' || value['t'] === 'or') &&
    Array.isArray(value['r']) &&
    value['r'].every(
      (entry: unknown) =>
        canShow(entry) ||
        (isRecord(entry) && hasOnly(entry, ['a', 'op', 'b']) && typeof entry['op'] === 'string'),
    )
  );
}

function hasOnly(value: Values, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

/** What is added by hand: in a switch a rule is about the value that is compared. */
export function newRule(holder: RulesHolder): Rule {
  return holder === 'switch'
    ? { op: 'str=', b: '' }
    : { a: '{{steps.trigger.event.body}}', op: 'exist' };
}

export interface OperatorChoice {
  readonly code: string;
  readonly words: string;
}

export interface OperatorGroup {
  readonly label: string;
  readonly choices: readonly OperatorChoice[];
}

const groupLabels = ['Any value', 'Text', 'Number', 'Boolean'] as const;

function labelOf(operator: RuleOperator): (typeof groupLabels)[number] {
  if (/str/i.test(operator)) return 'Text';
  if (/num/i.test(operator)) return 'Number';
  return /bool|true|false/i.test(operator) ? 'Boolean' : 'Any value';
}

/** Every operator and its opposite, in groups. */
export const operatorGroups: readonly OperatorGroup[] = groupLabels.map((label) => ({
  label,
  choices: (Object.keys(ruleOperators) as RuleOperator[])
    .filter((operator) => labelOf(operator) === label)
    .flatMap((operator) => {
      const { words } = ruleOperators[operator];
      return [
        { code: operator, words },
        { code: `!${operator}`, words: negated(words) },
      ];
    }),
}));

function negated(words: string): string {
  if (words.startsWith('is ')) return `is not ${words.slice(3)}`;
  const [verb = '', ...rest] = words.split(' ');
  return ['does not', verb.replace(/s$/, ''), ...rest].join(' ');
}

/** The code that the choices have for an operator however it is spelt; undefined for one that there is not. */
export function canonical(op: string): string | undefined {
  const found = ruleOperator(op);
  return found && `${found.not ? '!' : ''}${found.operator}`;
}

/** Whether there is something to compare with. An operator that nobody knows may have it. */
export function compares(op: string): boolean {
  const found = ruleOperator(op);
  return found === undefined || ruleOperators[found.operator].compares;
}

/**
 * The value of typed text: a number or a boolean if the operator compares those, or if the old value was one; otherwise
 * text.
 */
export function operand(text: string, op: string, before: unknown): unknown {
  const operator = ruleOperator(op)?.operator ?? '';
  const trimmed = text.trim();
  if (/num/i.test(operator) || typeof before === 'number') {
    const isNumber = trimmed !== '' && String(Number(trimmed)) === trimmed;
    if (isNumber) return Number(trimmed);
  }
  if (operator === 'bool=' || typeof before === 'boolean') {
    if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  }
  if (typeof before === 'object' && before !== null) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** What is looked at is an expression: the braces of a path that was typed without them. */
export function braced(text: string): string {
  const trimmed = text.trim();
  return /^(?:steps|event)[.?[][^{}]*$/.test(trimmed) ? `{{${trimmed}}}` : text;
}

/** Rules in one line, for the head of a card. */
export function rulesInWords(rules: Rules): string {
  if (rules.r.length === 0) return 'always';
  return rules.r
    .map((entry) => {
      if (isGroup(entry)) return `(${rulesInWords(entry)})`;
      const code = canonical(entry.op);
      const choice = operatorGroups
        .flatMap(({ choices }) => choices)
        .find((one) => one.code === code);
      return [
        textOf(entry.a).replaceAll(/^\{\{|\}\}$/g, ''),
        choice?.words ?? entry.op,
        compares(entry.op) ? textOf(entry.b) : '',
      ]
        .filter((part) => part !== '')
        .join(' ');
    })
    .join(` ${rules.t} `);
}

/** When a branch runs, in one line. */
export function conditionInWords(when: unknown, control: Control): string {
  const kind = conditionKind(when, control);
  if (kind === 'rules') return `when ${rulesInWords(when as Rules)}`;
  if (kind === 'always' || kind === 'never') return kind;
  return kind === 'value' ? `when it is ${textOf(when)}` : `when ${textOf(when)}`;
}
