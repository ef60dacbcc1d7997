/** Of many rows of one height those that are drawn (pure). */

/** Px; the style sheet has the same. */
export const rowHeight = 24;
/** Px of the times, which stay above the rows; the style sheet has the same. */
export const axisHeight = 22;
/** Rows that are drawn above and below what can be seen. */
const spare = 12;

export interface Sight {
  readonly scrollTop: number;
  /** Px in which rows can be seen. */
  readonly height: number;
}

/** Of the whole timeline. */
export interface TimelineSight extends Sight {
  /** Px of the line of time. */
  readonly trackWidth: number;
}

/** The rows from `first` up to `last`, exclusive. */
export function drawn(
  count: number,
  { scrollTop, height }: Sight,
): { first: number; last: number } {
  const top = Math.floor(scrollTop / rowHeight);
  const seen = Math.ceil(height / rowHeight) + 1;
  return {
    first: Math.max(0, Math.min(top, count) - spare),
    last: Math.min(count, top + seen + spare),
  };
}

/** Where to scroll so that a row can be seen; as it is where it can be already. */
export function scrolledTo(at: number, { scrollTop, height }: Sight): number {
  const top = at * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
