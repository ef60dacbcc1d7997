/**
 * PostgreSQL's text has no NUL, which a log line or a key may have. So a character that nobody may use between
 * programs (U+FDD0) announces it in the tables; itself it is announced as well.
 */
const mark = '\uFDD0';

/** The form in the tables. Half of a character has no UTF-8, so U+FFFD replaces it. */
export function storedText(text: string): string {
  const whole = text.toWellFormed();
  if (!whole.includes('\0') && !whole.includes(mark)) return whole;
  return whole.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`);
}

/** As it was given to the store. */
export function plainText(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark);
}
