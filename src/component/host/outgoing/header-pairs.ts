import type { HttpHeader } from '../../../protocol/outgoing-request.ts';

/** Pairs of a flat list of names and values, as texts or bytes (pure). A value may itself be a list. */
export function headerPairs(flat: unknown): readonly HttpHeader[] {
  if (!Array.isArray(flat)) return [];
  const pairs: HttpHeader[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = textOf(flat[at]);
    const value: unknown = flat[at + 1];
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      pairs.push([name, textOf(one)]);
    }
  }
  return pairs;
}

/** Headers are bytes, one for each character. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
