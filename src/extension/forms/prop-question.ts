import { isUserInput, type ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import { parsePropArgument } from '../../protocol/prop-argument.ts';

/** One question to a person about one prop. */
export type Question =
  | { readonly kind: 'text'; readonly secret: boolean; readonly hint: string }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly many: boolean }
  | { readonly kind: 'timer' }
  | { readonly kind: 'account'; readonly app: string };

export interface Choice {
  readonly label: string;
  readonly value: unknown;
}

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** The largest text of one prop, in bytes (seed, "Limits"). */
const maxBytes = 64 * 1024;

/**
 * Props a person has to answer before a deploy: required, seen, and without a default (a required
 * prop with a default is filled with it, reference §1.4).
 */
export function requiredProps(props: readonly ConfigurableProp[]): ConfigurableProp[] {
  return props.filter(
    (prop) => isAsked(prop) && prop.optional !== true && prop.default === undefined,
  );
}

/** Props a person can change on a deployed source. */
export function askedProps(props: readonly ConfigurableProp[]): ConfigurableProp[] {
  return props.filter(isAsked);
}

function isAsked(prop: ConfigurableProp): boolean {
  if (prop.hidden === true || prop.disabled === true || prop.static !== undefined) return false;
  // Older components put the schedule on the prop itself (reference §1.5).
  if (prop.type === '$.interface.timer') {
    return prop['cron'] === undefined && prop['intervalSeconds'] === undefined;
  }
  return isUserInput(prop) && prop.type !== 'dir';
}

export function questionFor(prop: ConfigurableProp): Question {
  if (prop.type === '$.interface.timer') return { kind: 'timer' };
  if (prop.type === 'app') return { kind: 'account', app: prop.app ?? prop.name };
  const many = prop.type.endsWith('[]');
  if (Array.isArray(prop.options)) {
    return { kind: 'choice', choices: prop.options.map(choiceOf), many };
  }
  if (prop.type === 'boolean') {
    const choices = [
      { label: 'true', value: true },
      { label: 'false', value: false },
    ];
    return { kind: 'choice', choices, many: false };
  }
  return { kind: 'text', secret: prop.secret === true, hint: hintFor(prop.type, many) };
}

/** Turns what was typed into the value of the prop, or says in one sentence what is wrong. */
export function parseAnswer(prop: ConfigurableProp, text: string): Answer {
  if (text.trim() === '') {
    return prop.optional === true ? ok(undefined) : no(`${labelOf(prop)} is required.`);
  }
  if (Buffer.byteLength(text) > maxBytes) return no('A value may hold 64 KB at most.');
  try {
    const value = parsePropArgument(prop, prop.type === 'string' ? text : text.trim());
    const problem = outOfRange(prop, value);
    return problem === undefined ? ok(value) : no(problem);
  } catch (error) {
    return no(messageOf(error));
  }
}

export function labelOf(prop: ConfigurableProp): string {
  return prop.label ?? prop.name;
}

function outOfRange(prop: ConfigurableProp, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (prop.type === 'integer' && !Number.isInteger(value)) return 'Only whole numbers fit here.';
  if (prop.min !== undefined && value < prop.min) return `The least is ${prop.min}.`;
  if (prop.max !== undefined && value > prop.max) return `The most is ${prop.max}.`;
  return undefined;
}

function choiceOf(option: unknown): Choice {
  if (typeof option === 'object' && option !== null && 'value' in option) {
    const { label, value } = option as { label?: unknown; value: unknown };
    return { label: String(label ?? value), value };
  }
  return { label: String(option), value: option };
}

function hintFor(type: string, many: boolean): string {
  if (many) return 'Several values, with commas between';
  if (type === 'object') return 'A JSON object';
  return type === 'integer' ? 'A whole number' : '';
}

function ok(value: unknown): Answer {
  return { ok: true, value };
}

function no(problem: string): Answer {
  return { ok: false, problem };
}
