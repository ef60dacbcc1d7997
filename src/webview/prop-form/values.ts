/** What a value is and how it is shown (pure). */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { isRecord } from '../../protocol/record.ts';
import type { Option, TimerValue, Values } from './messages.ts';

/** Placeholder of a secret that is set; its text is never in the page's state. */
export const keptSecret = { secret: true } as const;

/** Whether a value is the placeholder of a secret that the host or the runtime has. */
export function isKept(value: unknown): boolean {
  return isRecord(value) && value['secret'] === true;
}

/** The type of a prop's value, or of the items of a list. */
export function baseType({ type }: ConfigurableProp): string {
  return type.endsWith('[]') ? type.slice(0, -2) : type;
}

export function isList({ type }: ConfigurableProp): boolean {
  return type.endsWith('[]');
}

/** The name shown for a prop; props of the platform's own types seldom have a label. */
export function labelOf({ label, name, type, app }: ConfigurableProp): string {
  if (label !== undefined && label !== '') return label;
  if (type === '$.interface.timer') return 'Schedule';
  if (type === '$.interface.http') return 'Endpoint';
  return type === 'app' ? `${titled(app ?? name)} account` : name;
}

/** The name slug of an app as a title: google_drive becomes Google Drive. */
function titled(slug: string): string {
  return slug
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/**
 * The present value of a prop: what was set, else its default, also of an optional prop. Null means
 * that the value was removed.
 */
export function valueOf(prop: ConfigurableProp, values: Values): unknown {
  const value = Object.hasOwn(values, prop.name) ? values[prop.name] : prop.default;
  return value ?? undefined;
}

/** Whether a value is given; an empty text or list does not count. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** The options a value consists of: `{"__lv": {label, value}}`, a list of those, or bare values. */
export function pickedOf(value: unknown): readonly Option[] {
  const inner = isRecord(value) && '__lv' in value ? value['__lv'] : value;
  if (!isSet(inner)) return [];
  return (Array.isArray(inner) ? inner : [inner]).map(optionOf);
}

export function optionOf(item: unknown): Option {
  if (isRecord(item) && '__lv' in item) return optionOf(item['__lv']);
  if (isRecord(item) && 'value' in item) {
    const { label, value } = item;
    return { label: typeof label === 'string' && label !== '' ? label : textOf(value), value };
  }
  return { label: textOf(item), value: item };
}

/** The configured value of picked options: with labels only where these differ from the values. */
export function configuredPick(picked: readonly Option[], many: boolean): unknown {
  if (picked.length === 0) return many ? [] : undefined;
  const labelled = picked.some(({ label, value }) => label !== textOf(value));
  if (many) return labelled ? { __lv: picked } : picked.map(({ value }) => value);
  const [one] = picked;
  return labelled ? { __lv: one } : one?.value;
}

/** Whether there is a text with `{{` in it. */
export function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

/** A value on one line. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of a text in a field of this type; an invalid text stays a text. */
export function parsed(type: string, text: string): unknown {
  const trimmed = text.trim();
  if (type === 'integer' || type === 'number') {
    return trimmed === '' || Number.isNaN(Number(trimmed)) ? text : Number(trimmed);
  }
  if (type === 'boolean' && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  return text;
}

/** Reads a timer as it is configured and as replies show it. */
export function timerOf(value: unknown): TimerValue | undefined {
  if (!isRecord(value)) return undefined;
  const { cron, timezone } = value;
  if (typeof cron === 'string') {
    return typeof timezone === 'string' ? { cron, timezone } : { cron };
  }
  const seconds = value['intervalSeconds'] ?? value['interval_seconds'];
  return typeof seconds === 'number' ? { intervalSeconds: seconds } : undefined;
}
