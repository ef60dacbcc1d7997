/** The schema's errors, as problems with a path (pure). */
import type { z } from 'zod';
import { isRecord } from '../../../protocol/record.ts';
import { nearestWord } from './nearest-word.ts';
import { shortened, type Path } from '../../../workflow-file/yaml-values.ts';

export interface Fault {
  readonly severity: 'error' | 'warning';
  readonly path: Path;
  readonly message: string;
  /** The key is at fault and not its value. */
  readonly ofKey: boolean;
}

/** @param whole what was parsed: paths lead into it */
export function faultsOf(issues: readonly z.core.$ZodIssue[], whole: unknown): Fault[] {
  return issues.flatMap((issue) => faultsOfIssue(issue, whole, []));
}

function faultsOfIssue(issue: z.core.$ZodIssue, whole: unknown, above: Path): Fault[] {
  const path = [...above, ...issue.path];
  const value = valueAt(whole, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      severity: 'warning',
      path: [...path, key],
      message: unknownKey(key, issue.message.split(' ')),
      ofKey: true,
    }));
  }
  if (issue.code === 'invalid_union' && isRecord(value) && issue.errors.length > 0) {
    const option = issue.errors[optionFor(value)] ?? issue.errors[0] ?? [];
    return option.flatMap((inner) => faultsOfIssue(inner, whole, path));
  }
  const wrong = issue.code === 'invalid_union' ? ofUnion(issue) : issue.message;
  const message =
    value === undefined
      ? `"${String(path.at(-1))}" is missing: it ${wrong}.`
      : `${subject(path)} ${wrong}${wrong.startsWith('must not') ? '' : shownValue(path, value)}.`;
  return [{ severity: 'error', path, message, ofKey: false }];
}

/** Which of the two schemas of a union was meant: the second one has the keys of groups. */
function optionFor(value: Readonly<Record<string, unknown>>): number {
  return ['control', 'branches', 't', 'r'].some((key) => Object.hasOwn(value, key)) ? 1 : 0;
}

function ofUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  return issue.message.startsWith('must') ? issue.message : 'must be a mapping of keys to values';
}

export function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestWord(
    key,
    known.filter((word) => word !== ''),
  );
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `"${shortened(key)}" is not known here and has no effect.${hint}`;
}

/** How a sentence about the value at a path begins. */
function subject(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'The file';
  if (typeof last !== 'number') return `"${shortened(String(last))}"`;
  const list = path.findLast((part) => typeof part === 'string');
  return `Entry ${last + 1}${list === undefined ? '' : ` of "${shortened(list)}"`}`;
}

const secret = new Set(['token', 'password']);

function shownValue(path: Path, value: unknown): string {
  if (secret.has(String(path.at(-1)))) return '';
  if (value === null) return ', and nothing is given';
  if (typeof value === 'string') return `, not "${shortened(value)}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return `, not ${value}`;
  return Array.isArray(value) ? ', not a list' : ', not a mapping';
}

function valueAt(whole: unknown, path: Path): unknown {
  let value = whole;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}
