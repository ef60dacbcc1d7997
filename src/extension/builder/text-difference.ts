/** A replacement that turns one text into another. */
export interface TextDifference {
  /** Offsets in the text before, the end exclusive. */
  readonly start: number;
  readonly end: number;
  /** The replacing text. */
  readonly text: string;
}

/**
 * The smallest replacement that turns one text into another, without their common start and end (pure). It never begins
 * or ends within a line end of two characters or a character of two units: an editor has no place there.
 */
export function differenceOf(before: string, after: string): TextDifference {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (isWithin(before, start) || isWithin(after, start)) start -= 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (isWithin(before, before.length - end) || isWithin(after, after.length - end)) end -= 1;
  return { start, end: before.length - end, text: after.slice(start, after.length - end) };
}

function isWithin(text: string, offset: number): boolean {
  return (
    offset > 0 &&
    /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(offset - 1, offset + 1))
  );
}
