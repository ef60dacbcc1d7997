import { isDictionary } from './authored.ts';
import { own } from '../protocol/own.ts';

/**
 * Takes the `{"__lv": …}` envelope off a configured value (P3.10, P4.1): the bare value, or
 * `{label, value}` when the prop has `withLabel`. Values without an envelope stay as they are.
 */
export function unwrapLabel(configured: unknown, withLabel: boolean): unknown {
  if (Array.isArray(configured)) return configured.map((item) => unwrapLabel(item, withLabel));
  if (!isDictionary(configured) || !Object.hasOwn(configured, '__lv')) return configured;
  const inner = configured['__lv'];
  if (withLabel) return inner;
  return Array.isArray(inner) ? inner.map(valueOf) : valueOf(inner);
}

function valueOf(option: unknown): unknown {
  return isDictionary(option) && Object.hasOwn(option, 'value') ? own(option, 'value') : option;
}
