/** What a value is and how it is shown (pure). */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { Option, TimerValue, Values } from './messages.ts';

/** A secret that is set; its text is not here. */
export const keptSecret = { secret: true } as const;

/** What a prop is of, without the list around it. */
export function baseType({ type }: ConfigurableProp): string {
  return type.endsWith('[]') ? type.slice(0, -2) : type;
}

export function isList({ type }: ConfigurableProp): boolean {
  return type.endsWith('[]');
}

export function hasOptions({ options, remoteOptions }: ConfigurableProp): boolean {
  return remoteOptions === true || (options !== undefined && options.length > 0);
}

/** What people know a prop by; those of the platform's own types seldom have a label. */
export function labelOf({ label, name, type, app }: ConfigurableProp): string {
  if (label !== undefined && label !== '') return label;
  if (type === '$.interface.timer') return 'Schedule';
  if (type === '$.interface.http') return 'Endpoint';
  return type === 'app' ? `${titled(app ?? name)} account` : name;
}

/** The name slug of an app, readable: google_drive is Google Drive. */
function titled(slug: string): string {
  return slug
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/**
 * The value a prop has now: what was set, else its default, which counts for optional props too. Null
 * is a value that was taken away.
 */
export function valueOf(prop: ConfigurableProp, values: Values): unknown {
  const value = Object.hasOwn(values, prop.name) ? values[prop.name] : prop.default;
  return value ?? undefined;
}

/** Whether there is anything; an empty text or list is nothing. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The options a value was picked as: `{"__lv": {label, value}}`, a list of those, or bare values. */
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

/** How picked options are configured: with their labels where these say more than the values. */
export function configuredPick(picked: readonly Option[], many: boolean): unknown {
  if (picked.length === 0) return many ? [] : undefined;
  const labelled = picked.some(({ label, value }) => label !== textOf(value));
  if (many) return labelled ? { __lv: picked } : picked.map(({ value }) => value);
  const [one] = picked;
  return labelled ? { __lv: one } : one?.value;
}

/** A value on one line. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a text in a field of this type stands for; a text that is none stays one, to be complained about. */
export function parsed(type: string, text: string): unknown {
  const trimmed = text.trim();
  if (type === 'integer' || type === 'number') {
    return trimmed === '' || Number.isNaN(Number(trimmed)) ? text : Number(trimmed);
  }
  if (type === 'boolean' && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  return text;
}

/** Reads both spellings of a timer: what is configured and what replies show. */
export function timerOf(value: unknown): TimerValue | undefined {
  if (!isRecord(value)) return undefined;
  const { cron, timezone } = value;
  if (typeof cron === 'string') {
    return typeof timezone === 'string' ? { cron, timezone } : { cron };
  }
  const seconds = value['intervalSeconds'] ?? value['interval_seconds'];
  return typeof seconds === 'number' ? { intervalSeconds: seconds } : undefined;
}
