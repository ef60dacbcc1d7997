/** Rows that stay whatever the limits say (P22.6). */
export const alwaysKept = 100;

export interface Weighed {
  /** Epoch ms. */
  readonly ms: number;
  readonly bytes: number;
}

/** How many there are, and their bytes together. */
export interface RowsAndBytes {
  readonly count: number;
  readonly bytes: number;
}

/** Rows to delete: the newest of them (all older ones go with it), and how many there are. */
export interface Cut<T> {
  readonly newest: T;
  readonly gone: RowsAndBytes;
}

/**
 * Undefined when nothing has to go. Looks at no more entries than go, and one.
 * @param oldestFirst all entries.
 * @param all how many there are, and their bytes.
 * @param keep at most so many, at most so many bytes together, none older than `before` (epoch ms).
 */
export function cutOf<T extends Weighed>(
  oldestFirst: Iterable<T>,
  all: RowsAndBytes,
  keep: { readonly count: number; readonly bytes?: number; readonly before: number },
): Cut<T> | undefined {
  const { count, bytes } = all;
  if (count <= alwaysKept) return undefined;
  const most = keep.bytes ?? Infinity;
  const gone = { count: 0, bytes: 0 };
  let newest: T | undefined;
  for (const entry of oldestFirst) {
    const left = count - gone.count;
    const fits = left <= keep.count && bytes - gone.bytes <= most && entry.ms >= keep.before;
    if (fits || left <= alwaysKept) break;
    newest = entry;
    gone.count += 1;
    gone.bytes += entry.bytes;
  }
  return newest && { newest, gone };
}
