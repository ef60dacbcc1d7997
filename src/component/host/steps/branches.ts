import { wholeExpression } from '../../../protocol/expression-text.ts';
import type { BlockStep, Branch } from '../../../protocol/workflow.ts';
import { exportJson } from '../json.ts';
import { kindOf } from '../values.ts';
import { ExpressionError, messageOfThrown } from './expressions.ts';
import { resolveValues, textOf } from './resolve.ts';
import { evaluateRules } from './rules.ts';
import type { Scope } from './scope.ts';

/** The part of a block that decides which branch runs; its steps do not matter. */
export interface BlockHead extends Pick<BlockStep, 'namespace' | 'control' | 'on'> {
  readonly branches: readonly Pick<Branch, 'name' | 'when'>[];
  readonly otherwise?: { readonly disabled: boolean };
}

/** The branch that runs when no other one does. */
export const elseBranch = '$else';

/** Which branches of a block run, in their order; of a loop, the items as JSON texts. */
export type Choice =
  | { readonly kind: 'branches'; readonly names: readonly string[] }
  | { readonly kind: 'items'; readonly items: readonly string[] };

/**
 * Which way a block goes. Of If/Else and Switch it is the first branch that matches: conditions behind it
 * are not evaluated. When none does, the else branch; none when that is missing or disabled (W46).
 * @throws ExpressionError for a condition that cannot be evaluated, and for what is no list
 */
export function chooseBranches(block: BlockHead, scope: Scope): Choice {
  const { namespace: path, control, branches, otherwise } = block;
  if (control === 'each') return { kind: 'items', items: itemsOf(block, scope) };
  const on =
    control === 'switch' ? { value: resolveValues(block.on, scope, `${path}.on`) } : undefined;
  const matches = ({ name, when }: Pick<Branch, 'name' | 'when'>): boolean => {
    if (when.is === 'always' || when.is === 'never') return when.is === 'always';
    const at = `${path}.${name}.when`;
    if (when.is === 'rules') return evaluateRules(when.rules, scope, at, on);
    const value = resolveValues(when.value, scope, at);
    return on === undefined ? Boolean(value) : isSame(on.value, value, at);
  };
  if (control === 'parallel') return chosen(branches.filter(matches));
  const first = branches.find(matches);
  if (first !== undefined) return chosen([first]);
  return chosen(otherwise === undefined || otherwise.disabled ? [] : [{ name: elseBranch }]);
}

function chosen(branches: readonly { readonly name: string }[]): Choice {
  return { kind: 'branches', names: branches.map(({ name }) => name) };
}

/** The case `200` of a file matches the number and the text. What is missing matches only what is missing. */
function isSame(value: unknown, other: unknown, path: string): boolean {
  const missing = (given: unknown): boolean => given === undefined || given === null;
  if (missing(value) || missing(other)) return missing(value) && missing(other);
  return textOf(value, path) === textOf(other, path);
}

/** More are refused: each item is a row, and more of them are a mistake. */
const mostItems = 100_000;
/** Characters of JSON of all items: what a run may hand on. */
const largestItems = 64 * 1024 * 1024;

function itemsOf({ namespace, on }: BlockHead, scope: Scope): string[] {
  const path = `${namespace}.on`;
  const code = typeof on === 'string' ? wholeExpression(on)?.code : undefined;
  const refuse = (said: string, cause?: unknown): ExpressionError =>
    new ExpressionError(path, code, said, cause);
  const list = resolveValues(on, scope, path);
  const items: string[] = [];
  let size = 0;
  try {
    if (!isIterable(list)) {
      const hint = kindOf(list) === 'an object' ? '; Object.entries(…) makes one of an object' : '';
      throw refuse(`gives ${kindOf(list)}, and a loop needs a list${hint}`);
    }
    for (const item of list) {
      if (items.length === mostItems) throw refuse(`gives more than ${mostItems} items`);
      const json = exportJson(`Item ${items.length}`, item) ?? 'null';
      size += json.length;
      if (size > largestItems) throw refuse('gives items of more than 64 MB of JSON');
      items.push(json);
    }
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw refuse(`gives a list that cannot be read: ${messageOfThrown(error)}`, error);
  }
  return items;
}

/** A text is one thing, though it can be read character by character. */
function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
  );
}
