/**
 * The operators of rules (`_filter`, conditions of branches). The platform's words for them are documented
 * and its codes are not: `str/` and `!exist` are known from files that people published. The other codes are
 * ours and follow these two: what is compared, then how; `!` before any of them says not. None of them is a
 * word that YAML reads as something else (`true`, `null`).
 */
import type { Rule, Rules } from './workflow.ts';

/** The question of each operator, and whether it compares with a second value (`b`). */
export const ruleOperators = {
  exist: { words: 'exists', compares: false },
  blank: { words: 'is blank', compares: false },
  'str=': { words: 'equals the text', compares: true },
  'str^': { words: 'starts with', compares: true },
  'str/': { words: 'contains', compares: true },
  str$: { words: 'ends with', compares: true },
  'num=': { words: 'equals the number', compares: true },
  'num>': { words: 'is greater than', compares: true },
  'num>=': { words: 'is greater than or equal to', compares: true },
  'num<': { words: 'is less than', compares: true },
  'num<=': { words: 'is less than or equal to', compares: true },
  'bool=': { words: 'equals the boolean', compares: true },
  isTrue: { words: 'is true', compares: false },
  isFalse: { words: 'is false', compares: false },
  isNull: { words: 'is null', compares: false },
  isStr: { words: 'is a text', compares: false },
  isNum: { words: 'is a number', compares: false },
  isBool: { words: 'is a boolean', compares: false },
} as const satisfies Readonly<Record<string, { words: string; compares: boolean }>>;

export type RuleOperator = keyof typeof ruleOperators;

/** Other spellings that a person may well write. */
const aliases: Readonly<Record<string, string>> = {
  exists: 'exist',
  'str!=': '!str=',
  'num!=': '!num=',
  'bool!=': '!bool=',
  '=': 'str=',
  '==': 'str=',
  '!=': '!str=',
  '>': 'num>',
  '>=': 'num>=',
  '<': 'num<',
  '<=': 'num<=',
  starts: 'str^',
  contains: 'str/',
  ends: 'str$',
  isString: 'isStr',
  isNumber: 'isNum',
  isBoolean: 'isBool',
};

/** An operator by its code: which one, and whether its answer is negated. Undefined if the code is unknown. */
export function ruleOperator(code: string): { operator: RuleOperator; not: boolean } | undefined {
  let rest = code.trim();
  let not = false;
  for (;;) {
    if (Object.hasOwn(aliases, rest)) rest = aliases[rest] ?? rest;
    if (Object.hasOwn(ruleOperators, rest)) return { operator: rest as RuleOperator, not };
    if (!rest.startsWith('!')) return undefined;
    rest = rest.slice(1).trimStart();
    not = !not;
  }
}

/** The codes that name no operator, each once: nothing with such a rule can be deployed. */
export function unknownOperators(rules: Rules): string[] {
  const unknown = new Set<string>();
  const visit = (entry: Rule | Rules): void => {
    if (isGroup(entry)) entry.r.forEach(visit);
    else if (ruleOperator(entry.op) === undefined) unknown.add(entry.op);
  };
  visit(rules);
  return [...unknown];
}

export function isGroup(entry: Rule | Rules): entry is Rules {
  return 'r' in entry;
}
