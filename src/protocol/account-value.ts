/** Which account a value names: one rule for the code that checks such a value and the code that uses it. */
import { kindOf } from './ids.ts';
import { unwrapped } from './picked-value.ts';
import { isRecord } from './record.ts';

/**
 * Returns the id in the value of an app prop, in every accepted form: `"apn_…"`, `{"authProvisionId": "apn_…"}`, and
 * either of them as it was picked, `{"__lv": {label, value}}`. Undefined for a value that names no account.
 */
export function accountIn(value: unknown): string | undefined {
  const bare = unwrapped(value);
  if (typeof bare === 'string') return bare === '' ? undefined : bare;
  if (!isRecord(bare)) return undefined;
  const id = bare['authProvisionId'];
  return typeof id === 'string' ? id : undefined;
}

/** The same for a prop that may have another type: a text names an account only if it looks like an id. */
export function accountNamed(value: unknown): string | undefined {
  const id = accountIn(value);
  const isText = typeof unwrapped(value) === 'string';
  return id !== undefined && (!isText || kindOf(id) === 'account') ? id : undefined;
}
