/** Common parts of values under keys: pages in the order of the keys, and JSON (pure). */
import { WeirError } from '../../../protocol/errors.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { badCursor, type PageOf } from '../../store/page.ts';

/** As the store has it, which knows no halves of characters. */
export function storedKey(key: string): string {
  return key.toWellFormed();
}

/**
 * @param value undefined where the caller gave none
 * @throws WeirError `bad_input`
 */
export function jsonOf(value: unknown): string {
  if (value === undefined) throw new WeirError('bad_input', 'value is missing.');
  return JSON.stringify(value);
}

/** Whether JSON text is that of a value. */
export function holds(json: string | undefined, value: unknown): boolean {
  return json !== undefined && JSON.stringify(valueOfJson(json)) === JSON.stringify(value);
}

/** @param what such as `key "a" of Orders` */
export function changedMeanwhile(what: string): WeirError {
  return new WeirError('conflict', `The ${what} has another value than expected: read it again.`);
}

/** The key that a page ended with. @throws WeirError `bad_input` */
export function keyOfCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64').toString();
  if (cursorOf(key) !== cursor) throw badCursor(cursor);
  return key;
}

/** Rows of one page as `presentPage` takes them. */
export function pageOfKeys<T extends { readonly key: string }>(
  rows: readonly T[],
  total: number,
): PageOf<T> {
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    total,
    start: first === undefined ? null : cursorOf(first.key),
    end: last === undefined ? null : cursorOf(last.key),
  };
}

/** The unpadded base64 of the key (P16.6). */
function cursorOf(key: string): string {
  return Buffer.from(key).toString('base64').replace(/=+$/u, '');
}
