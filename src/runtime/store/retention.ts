/** Rows that stay whatever the limits say (house §4). */
export const alwaysKept = 100;

export interface Weighed {
  /** Epoch ms. */
  readonly ms: number;
  readonly bytes: number;
}

/**
 * The newest entry that has to go; all older ones go with it.
 * @param entries newest first.
 * @param keep at most so many, at most so many bytes together, none older than `before` (epoch ms).
 */
export function newestToGo<T extends Weighed>(
  entries: Iterable<T>,
  keep: { readonly count: number; readonly bytes: number; readonly before: number },
): T | undefined {
  let count = 0;
  let bytes = 0;
  for (const entry of entries) {
    count += 1;
    bytes += entry.bytes;
    if (count <= alwaysKept) continue;
    if (count > keep.count || bytes > keep.bytes || entry.ms < keep.before) return entry;
  }
  return undefined;
}
