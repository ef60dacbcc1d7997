import { inspect } from 'node:util';
import { toJson } from './json.ts';

/** Values that component code hands over. Each may be anything until it has been checked. */
export type Dictionary = Readonly<Record<string, unknown>>;
export type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

export function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/** Assigns, but never through the `__proto__` setter. */
export function assign(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    (target as Record<string, unknown>)[name] = value;
  }
}

/** "an array", "undefined", "a string": for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}

/** Any value as the text a person would expect: not quoted, not `[object Object]`. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'symbol') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return inspect(value);
  try {
    // `toJSON` may leave nothing of it.
    const json: string | undefined = toJson(value);
    return json ?? inspect(value);
  } catch {
    return inspect(value);
  }
}

/** The file is not a component, or one that cannot work. The message is for its author. */
export class ComponentError extends Error {
  override readonly name = 'ComponentError';
}
