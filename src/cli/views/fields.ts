import { oneLine } from '../render/printable.ts';

/** `key: value` lines, the values under each other; what has no value is left out. */
export function fields(values: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([key]) => key.length)) + 1;
  return shown
    .map(([key, value]) => `${`${key}:`.padEnd(width)} ${oneLine(textOf(value))}`)
    .join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
