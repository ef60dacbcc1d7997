/** Values that were picked from a list of options keep their label: `{"__lv": {label, value}}` (P3.10, P4.1). */
import { isRecord } from './record.ts';

/** Returns the value without its label; a list of picked options becomes a list of values. */
export function unwrapped(value: unknown): unknown {
  if (!isRecord(value) || !('__lv' in value)) return value;
  const picked = value['__lv'];
  return Array.isArray(picked) ? picked.map(valueOf) : valueOf(picked);
}

function valueOf(picked: unknown): unknown {
  return isRecord(picked) && 'value' in picked ? picked['value'] : picked;
}
