/**
 * A strict reading of cron expressions (pure): only what every cron means alike is taken. What one dialect reads
 * in another way (`0/15`, `5L`, `1#1`, `?`) is refused with the spelling that all of them share.
 */
import { own } from '../../../protocol/own.ts';

/** The values of one field, ascending. */
export interface CronField {
  readonly values: readonly number[];
  /** It begins with a star, which is what Vixie cron looks at in the two day fields. */
  readonly star: boolean;
}

export interface CronFields {
  readonly second: CronField;
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

interface FieldRule {
  readonly name: keyof CronFields;
  readonly least: number;
  readonly most: number;
  /** Names of the values, beginning with the lowest. */
  readonly names?: readonly string[];
}

const rules: readonly FieldRule[] = [
  { name: 'second', least: 0, most: 59 },
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  },
  // Sunday is 0 and 7.
  {
    name: 'weekday',
    least: 0,
    most: 7,
    names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
  },
];

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@minutely': '* * * * *',
};

/** Why an expression is not taken, as the rest of a sentence that ends with a period. */
export class CronProblem extends Error {}

/**
 * Reads five fields, six with seconds in front, or `@daily` and the like.
 * @throws CronProblem for anything else, and for what dialects read differently
 */
export function readCron(expression: string): CronFields {
  const trimmed = expression.trim();
  const texts = (own(nicknames, trimmed.toLowerCase()) ?? trimmed).split(/\s+/);
  if (texts.length !== 5 && texts.length !== 6) {
    const count = trimmed === '' ? 0 : texts.length;
    throw new CronProblem(
      `it has ${count} field${count === 1 ? '' : 's'}. Write five: minute, hour, day, month and weekday, such as "0 9 * * 1-5".`,
    );
  }
  const all = texts.length === 6 ? texts : ['0', ...texts];
  const fields = Object.fromEntries(
    rules.map((rule, index) => [rule.name, readField(all[index] ?? '', rule)]),
  );
  return fields as unknown as CronFields;
}

function readField(text: string, rule: FieldRule): CronField {
  const parts = text.split(',');
  const isDays = rule.name === 'day' || rule.name === 'weekday';
  if (isDays && parts.slice(1).some((part) => part.startsWith('*'))) {
    throw new CronProblem(`in the ${rule.name} field "${text}" the part with "*" has to be first.`);
  }
  const found = new Set(parts.flatMap((part) => readPart(part, rule)));
  if (rule.name === 'weekday' && found.delete(7)) found.add(0);
  return { values: [...found].toSorted((a, b) => a - b), star: text.startsWith('*') };
}

function readPart(part: string, rule: FieldRule): number[] {
  const shape = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d{1,9}))?$/.exec(part);
  if (shape === null) throw new CronProblem(otherDialect(part, rule));
  const [, star, first = '', last, stepText] = shape;
  const from = star === undefined ? valueOf(first, part, rule) : rule.least;
  const to = lastOf(star, from, last, part, rule);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (stepText !== undefined && star === undefined && last === undefined) {
    const begin = from === rule.least ? '*' : `${first}-${mostOf(rule)}`;
    throw new CronProblem(
      `"${part}" of the ${rule.name} field has no end. Write "${begin}/${step}".`,
    );
  }
  if (step === 0) throw new CronProblem(`"${part}" of the ${rule.name} field has the step 0.`);
  const isDays = rule.name === 'day' || rule.name === 'weekday';
  if (step > rule.most - rule.least + 1 && !isDays) {
    throw new CronProblem(
      `"${part}" steps over the whole ${rule.name} field. Use intervalSeconds for a timer of ${step} ${rule.name}s.`,
    );
  }
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function lastOf(
  star: string | undefined,
  from: number,
  last: string | undefined,
  part: string,
  rule: FieldRule,
): number {
  if (star !== undefined) return mostOf(rule);
  if (last === undefined) return from;
  const to = valueOf(last, part, rule);
  // A week also ends with Sunday.
  const end = to === 0 && rule.name === 'weekday' && from > 0 && /^\D/.test(last) ? 7 : to;
  if (end >= from) return end;
  throw new CronProblem(
    `"${part}" of the ${rule.name} field ends before it begins. Write the two parts of it as a list.`,
  );
}

/** Sunday is not there twice. */
function mostOf({ name, most }: FieldRule): number {
  return name === 'weekday' ? 6 : most;
}

function valueOf(text: string, part: string, rule: FieldRule): number {
  const named = rule.names?.indexOf(text.toUpperCase()) ?? -1;
  if (named >= 0) return rule.least + named;
  if (!/^\d+$/.test(text)) throw new CronProblem(otherDialect(part, rule));
  const value = Number(text);
  if (text.length <= 2 && value >= rule.least && value <= rule.most) return value;
  throw new CronProblem(
    `"${part}" is outside the ${rule.name} field (${rule.least} to ${rule.most}).`,
  );
}

function otherDialect(part: string, { name, names }: FieldRule): string {
  const field = `"${part}" of the ${name} field`;
  if (part === '?') return `${field} belongs to another dialect. Write "*".`;
  if (/^(?:\w*L[W\d-]*|\d+W|\w+#\d*)$/i.test(part) && (name === 'day' || name === 'weekday')) {
    return `${field} belongs to another dialect (L, W and # are not supported). Name the days by their numbers, and check the rest in a step.`;
  }
  const alternatives = names === undefined ? '' : ` and names from ${names[0]} to ${names.at(-1)}`;
  return `${field} cannot be read. Use whole numbers${alternatives}, "*", "-" for ranges, "/" for steps and "," for lists.`;
}
