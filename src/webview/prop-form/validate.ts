/** Checks values as the runtime does (pure). */
import { type ConfigurableProp, hasOptions, isAsked } from '../../protocol/definition.ts';
import { isRecord } from '../../protocol/record.ts';
import type { Problems, Values } from './messages.ts';
import { baseType, isList, isSet, pickedOf, textOf, timerOf, valueOf } from './values.ts';

/** The largest text of one prop, in bytes (P4.7). */
const maxBytes = 64 * 1024;

/** One sentence for each prop that keeps the form from being submitted. */
export function problemsOf(props: readonly ConfigurableProp[], values: Values): Problems {
  const problems: Record<string, string> = {};
  for (const prop of props.filter(isAsked)) {
    const problem = problemOf(prop, valueOf(prop, values));
    if (problem !== undefined) problems[prop.name] = problem;
  }
  return problems;
}

export function problemOf(prop: ConfigurableProp, value: unknown): string | undefined {
  if (prop.type === 'app') return undefined;
  if (prop.type === '$.interface.timer') return timerProblem(prop, value);
  if (!isSet(value)) return prop.optional === true ? undefined : 'A value is required.';
  if (new TextEncoder().encode(textOf(value)).length > maxBytes) {
    return 'A value may be 64 KB at most.';
  }
  if (isList(prop)) return listProblem(prop, value);
  return itemProblem(prop, hasOptions(prop) ? pickedOf(value)[0]?.value : value);
}

function listProblem(prop: ConfigurableProp, value: unknown): string | undefined {
  if (!Array.isArray(value) && !isRecord(value)) return `${JSON.stringify(value)} is not a list.`;
  const items = pickedOf(value).map((option) => option.value);
  if (items.every((item) => !isSet(item)) && prop.optional !== true) {
    return 'At least one value is required.';
  }
  for (const item of items) {
    const problem = isSet(item) ? itemProblem(prop, item) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function itemProblem(prop: ConfigurableProp, value: unknown): string | undefined {
  switch (baseType(prop)) {
    case 'integer':
    case 'number':
      return numberProblem(prop, value);
    case 'boolean':
      return typeof value === 'boolean' || hasOptions(prop)
        ? undefined
        : `${textOf(value)} is neither true nor false.`;
    case 'object':
      return textProblem(value);
    case 'http_request':
    case 'sql':
      return isRecord(value) ? undefined : jsonProblem(value);
    default:
      return undefined;
  }
}

function numberProblem(prop: ConfigurableProp, value: unknown): string | undefined {
  if (typeof value !== 'number') {
    return hasOptions(prop) && typeof value !== 'string'
      ? undefined
      : `“${textOf(value)}” is not a number.`;
  }
  if (baseType(prop) === 'integer' && !Number.isInteger(value)) return 'Must be a whole number.';
  if (prop.min !== undefined && value < prop.min) return `Must be ${prop.min} or more.`;
  if (prop.max !== undefined && value > prop.max) return `Must be ${prop.max} or less.`;
  return undefined;
}

function jsonProblem(value: unknown): string {
  const notAnObject = 'This must be a JSON object, in braces.';
  return typeof value === 'string' ? (notJson(value) ?? notAnObject) : notAnObject;
}

/** Lists and texts are fine for an object, too (P3.21), but hardly a text that begins like JSON. */
function textProblem(value: unknown): string | undefined {
  return typeof value === 'string' && /^\s*[{[]/.test(value) ? notJson(value) : undefined;
}

function notJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON. ${error instanceof Error ? error.message : ''}`.trim();
  }
}

function timerProblem(prop: ConfigurableProp, value: unknown): string | undefined {
  const timer = timerOf(value);
  if (timer === undefined) return prop.optional === true ? undefined : 'A schedule is required.';
  if ('cron' in timer) {
    return timer.cron.trim() === '' ? 'Enter a cron expression, such as 0 9 * * 1-5.' : undefined;
  }
  const { intervalSeconds: seconds } = timer;
  return Number.isFinite(seconds) && seconds >= 1 ? undefined : 'Enter a number of 1 or more.';
}
