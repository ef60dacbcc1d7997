import { inspect } from 'node:util';

/** Any value as the text a person would expect: not quoted, not `[object Object]`. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'symbol') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return inspect(value);
  try {
    return JSON.stringify(value);
  } catch {
    return inspect(value);
  }
}
