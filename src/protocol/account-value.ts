/** Which account a value of an app prop names: one rule for whoever checks such a value and whoever uses it. */
import { isRecord } from './record.ts';

/**
 * The id in every accepted form: `"apn_…"`, `{"authProvisionId": "apn_…"}`, and either of them as it was picked,
 * `{"__lv": {label, value}}`. Undefined for a value that names no account.
 */
export function accountIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!isRecord(value)) return undefined;
  if ('__lv' in value) {
    const picked = value['__lv'];
    return accountIn(isRecord(picked) && 'value' in picked ? picked['value'] : picked);
  }
  const id = value['authProvisionId'];
  return typeof id === 'string' ? id : undefined;
}
