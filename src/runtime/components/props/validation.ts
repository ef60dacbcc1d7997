/** Checks configured values against the definition. */
import {
  type ComponentDefinition,
  type ConfigurableProp,
  hasOptions,
} from '../../../protocol/definition.ts';
import type { ErrorDetail } from '../../../protocol/errors.ts';
import { own } from '../../../protocol/own.ts';
import { isRecord } from '../../../protocol/record.ts';
import { unwrapped } from '../../../protocol/picked-value.ts';
import type { Configured } from './configured.ts';
import { timerProblem } from './timer.ts';

export { withDefaults } from '../../../protocol/effective-props.ts';

/**
 * One message per prop that has no usable value (P4.8). A value that
 * is not among the options is fine: people may type their own (P4.9).
 *
 * @param configured as `withDefaults` returned it
 */
export function validateProps(
  definition: ComponentDefinition,
  configured: Configured,
): ErrorDetail[] {
  return definition.props.flatMap((prop) => {
    const problem = problemOf(prop, unwrapped(own(configured, prop.name)));
    return problem === undefined ? [] : [{ prop: prop.name, message: `${prop.name} ${problem}.` }];
  });
}

function problemOf(prop: ConfigurableProp, value: unknown): string | undefined {
  if (prop.hidden === true || prop.disabled === true || isProvided(prop.type)) return undefined;
  if (prop.type === '$.interface.timer') return timerProblem(prop, value);
  if (value === undefined || (value === '' && !takesText(prop.type))) {
    // An unconnected app is allowed: its `$auth` is empty and the run says so (P2.14).
    if (prop.optional === true || prop.type === 'app') return undefined;
    return 'is required';
  }
  return tooLong(value) ?? wrongType(prop, value);
}

/** Types for which an empty text is a value like others, given on purpose. */
function takesText(type: string): boolean {
  return type === 'string' || type === 'object' || type === 'any';
}

/** Props whose value comes from the runtime, not from a person. */
function isProvided(type: string): boolean {
  return (
    type.startsWith('$.service.') ||
    (type.startsWith('$.interface.') && type !== '$.interface.timer') ||
    type === 'alert' ||
    type === 'dir'
  );
}

const longestText = 64 * 1024;

function tooLong(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return bytes > longestText ? `is ${bytes} bytes long; at most 64 KB are allowed` : undefined;
}

function wrongType(prop: ConfigurableProp, value: unknown): string | undefined {
  if (!prop.type.endsWith('[]')) return wrongItem(prop, prop.type, value);
  if (!Array.isArray(value)) return `must be a list, not ${described(prop, value)}`;
  if (value.length === 0 && prop.optional !== true) return 'needs at least one value';
  for (const [index, item] of value.entries()) {
    const problem = wrongItem(prop, prop.type.slice(0, -2), unwrapped(item));
    if (problem !== undefined) return `[${index}] ${problem}`;
  }
  return undefined;
}

function wrongItem(prop: ConfigurableProp, type: string, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      // Values from `options()` are not limited to the prop's own type (P4.10).
      if (typeof value === 'string' || hasOptions(prop)) return undefined;
      return `must be text, not ${described(prop, value)}`;
    case 'integer':
    case 'number':
      return wrongNumber(prop, type, value);
    case 'boolean':
      return typeof value === 'boolean' || hasOptions(prop)
        ? undefined
        : `must be true or false, not ${described(prop, value)}`;
    case 'app':
      return isRecord(value) && typeof value['authProvisionId'] === 'string'
        ? undefined
        : 'must be an account, {"authProvisionId": "apn_…"}';
    // An object among them: components read lists and JSON texts from it, too (P3.21).
    default:
      return undefined;
  }
}

function wrongNumber(prop: ConfigurableProp, type: string, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return hasOptions(prop) ? undefined : `must be a number, not ${described(prop, value)}`;
  }
  if (type === 'integer' && !Number.isInteger(value)) return `must be a whole number, not ${value}`;
  if (prop.min !== undefined && value < prop.min)
    return `must be at least ${prop.min}, not ${value}`;
  if (prop.max !== undefined && value > prop.max)
    return `must be at most ${prop.max}, not ${value}`;
  return undefined;
}

/** A value for a sentence: cut short, and only its type when it is a secret. */
function described(prop: ConfigurableProp, value: unknown): string {
  if (prop.secret === true) return typeof value;
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
