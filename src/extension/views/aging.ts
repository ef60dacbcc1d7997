import { relativeTime } from './relative-time.ts';

/** VS Code takes in every row by itself: more of them at once are felt as a stall of its window. */
const atOnce = 100;
const pauseMs = 250;

interface Aging<Row> {
  /** Remembers the age a row was shown with. */
  readonly painted: (row: Row, now: number) => void;
  /** Begins to repaint those rows whose age reads differently by now. */
  readonly refresh: (rows: readonly Row[]) => void;
  readonly dispose: () => void;
}

/**
 * Keeps the ages of a long list true. Which of its rows can be seen is known to VS Code alone, so all
 * of them are, a few at a time, from the top.
 * @param since of a row, in epoch ms
 */
export function aging<Row extends object>(
  since: (row: Row) => number,
  repaint: (rows: Row[]) => void,
): Aging<Row> {
  const paintedAt = new WeakMap<Row, number>();
  let due: Row[] = [];
  let timer: NodeJS.Timeout | undefined;

  const hasAged = (row: Row): boolean => {
    const then = paintedAt.get(row);
    if (then === undefined) return false;
    return relativeTime(since(row), then) !== relativeTime(since(row), Date.now());
  };
  const next = (): void => {
    // Some were painted while they waited, with all the others.
    due = due.filter(hasAged);
    const rows = due.splice(0, atOnce);
    timer = rows.length === 0 ? undefined : setTimeout(next, pauseMs);
    if (rows.length > 0) repaint(rows);
  };
  return {
    painted: (row, now) => void paintedAt.set(row, now),
    refresh(rows) {
      // Who waits comes first, else the end of a long list would never have its turn.
      if (timer !== undefined) return;
      due = [...rows];
      next();
    },
    dispose() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
