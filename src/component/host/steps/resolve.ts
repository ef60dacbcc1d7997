import { expressionsIn, wholeExpression } from '../../../protocol/expression-text.ts';
import { exportJson, parseJson, strictly, toJson } from '../json.ts';
import { assign, isDictionary, type Dictionary } from '../values.ts';
import { compile, ExpressionError, messageOfThrown } from './expressions.ts';
import type { Scope } from './scope.ts';

/**
 * Whether there is an expression anywhere in configured values. Asked once for a configuration: steps
 * without any pay nothing.
 */
export function hasExpressions(value: unknown): boolean {
  if (typeof value === 'string') return isTemplate(value);
  if (Array.isArray(value)) return value.some(hasExpressions);
  return isDictionary(value) && Object.values(value).some(hasExpressions);
}

/**
 * Configured values with their expressions evaluated (W49), at any depth; keys are never expressions, nor
 * is what an expression gives. A text that is one expression becomes its value, of whatever type; in other
 * texts values are put in as text (`textOf`). A value that is undefined is left out of its object, and keeps
 * its place in a list. What holds no expression is given back as it is, uncopied.
 * @param path where the values stand, the beginning of all paths in messages: the step's name
 * @throws ExpressionError for the first expression that cannot be used
 */
export function resolveValues(value: unknown, scope: Scope, path: string): unknown {
  if (typeof value === 'string') return resolveText(value, scope, path);
  if (Array.isArray(value)) return resolveList(value, scope, path);
  if (!isDictionary(value)) return value;
  if (Object.hasOwn(value, '__lv')) return resolveEnvelope(value, scope, path);
  return resolveObject(value, scope, path);
}

function resolveObject(value: Dictionary, scope: Scope, path: string): Dictionary {
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const resolved = resolveValues(item, scope, memberPath(path, key));
    if (Object.is(resolved, item)) {
      if (changed !== undefined) assign(changed, key, item);
      continue;
    }
    changed ??= entriesBefore(value, key);
    if (resolved !== undefined) assign(changed, key, resolved);
  }
  return changed ?? value;
}

function entriesBefore(value: Dictionary, end: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === end) break;
    assign(copy, key, item);
  }
  return copy;
}

function resolveList(value: readonly unknown[], scope: Scope, path: string): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const resolved = resolveValues(item, scope, `${path}[${index}]`);
    if (Object.is(resolved, item)) continue;
    changed ??= [...value];
    changed[index] = resolved;
  }
  return changed ?? value;
}

/**
 * `{"__lv": {label, value}}`, or a list of such pairs: what was chosen from a list of options. Only `value`
 * can be an expression; the label is what the list showed, and came from elsewhere.
 */
function resolveEnvelope(envelope: Dictionary, scope: Scope, path: string): unknown {
  const inner = envelope['__lv'];
  const option = (given: unknown, at: string): unknown => {
    if (!isDictionary(given) || !Object.hasOwn(given, 'value')) {
      return resolveValues(given, scope, at);
    }
    const resolved = resolveValues(given['value'], scope, at);
    return resolved === given['value'] ? given : { ...given, value: resolved };
  };
  if (Array.isArray(inner)) {
    const options = inner.map((given, index) => option(given, `${path}[${index}]`));
    const same = options.every((resolved, index) => resolved === inner[index]);
    return same ? envelope : { ...envelope, __lv: options };
  }
  const resolved = option(inner, path);
  if (resolved === inner) return envelope;
  const value = isDictionary(inner) && Object.hasOwn(inner, 'value') ? valueOf(resolved) : resolved;
  return value === undefined ? undefined : { ...envelope, __lv: resolved };
}

function valueOf(option: unknown): unknown {
  return (option as Dictionary)['value'];
}

const word = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A value's path as JavaScript would write it: `post.body`, `post["x-key"]`. */
export function memberPath(path: string, key: string): string {
  if (!word.test(key)) return `${path}[${toJson(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** A text with expressions, taken apart: what is between them, and their code. */
type Template =
  | { readonly whole: string }
  | { readonly parts: readonly (string | { readonly code: string })[] };

const mostTemplates = 2000;
const templates = new Map<string, Template | undefined>();

/** Undefined for a text without expressions; braces that nothing closes are text. */
function templateOf(text: string): Template | undefined {
  if (!text.includes('{{')) return undefined;
  if (templates.has(text)) return templates.get(text);
  const template = readTemplate(text);
  if (templates.size >= mostTemplates) templates.clear();
  templates.set(text, template);
  return template;
}

function isTemplate(text: string): boolean {
  return templateOf(text) !== undefined;
}

function readTemplate(text: string): Template | undefined {
  const whole = wholeExpression(text);
  if (whole !== undefined) return { whole: whole.code };
  const parts: (string | { code: string })[] = [];
  let from = 0;
  for (const { start, end, code, closed } of expressionsIn(text)) {
    if (!closed) break;
    parts.push(text.slice(from, start), { code });
    from = end;
  }
  return parts.length === 0 ? undefined : { parts: [...parts, text.slice(from)] };
}

function resolveText(text: string, scope: Scope, path: string): unknown {
  const template = templateOf(text);
  if (template === undefined) return text;
  if ('whole' in template) return compile(template.whole, path)(scope);
  return template.parts
    .map((part) => {
      if (typeof part === 'string') return part;
      return textOf(compile(part.code, path)(scope), path, part.code);
    })
    .join('');
}

/**
 * A value as a part of a text: undefined and null leave nothing, objects are JSON. What JSON makes a text of
 * (a date, a URL) is that text.
 * @param code the expression that gave it, for the message
 * @throws ExpressionError for what cannot be read or is too large
 */
export function textOf(value: unknown, path: string, code?: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return value.toString();
  try {
    const json = exportJson('The value', value, strictly) ?? '';
    return json.startsWith('"') ? (parseJson(json) as string) : json;
  } catch (error) {
    const said = `gives what cannot be made text: ${messageOfThrown(error)}`;
    throw new ExpressionError(path, code, said, error);
  }
}
