/** What a row of `events` is, in its column `is_drop`. */
export const kinds = { emitted: 0, drop: 1, notice: 2 } as const;
