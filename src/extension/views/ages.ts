/** Keeps "12s ago" true in trees whose rows do not change otherwise. */
import type { Cancel, Clock } from '../clock.ts';
import type { Disposable } from '../signal.ts';
import { every } from '../timing.ts';
import { relativeTime } from './line.ts';

/** How often relative times are refreshed, in ms. */
const refreshMs = 10_000;
/** VS Code processes every changed row on its own: more of them at once stall its window noticeably. */
const atOnce = 100;
const pauseMs = 250;

interface View {
  readonly visible: boolean;
  onDidChangeVisibility(listener: (change: { readonly visible: boolean }) => void): Disposable;
}

/** Calls `act` every ten seconds while a view is visible. */
export function whileVisible(clock: Clock, view: View, act: () => void): Disposable {
  let timer: Disposable | undefined;
  const set = (visible: boolean): void => {
    timer?.dispose();
    timer = visible ? every(clock, refreshMs, act) : undefined;
  };
  set(view.visible);
  const listening = view.onDidChangeVisibility(({ visible }) => set(visible));
  return {
    dispose() {
      listening.dispose();
      timer?.dispose();
    },
  };
}

interface Ages<Row> extends Disposable {
  /** Remembers when a row was shown, and with it the age it says. */
  readonly painted: (row: Row) => void;
  /** Starts to repaint those rows whose age reads differently by now. */
  readonly refresh: (rows: readonly Row[]) => void;
}

/**
 * The ages of a long list. Only VS Code knows which rows are visible, so all of them are repainted, a
 * few at a time, from the top.
 * @param since of a row, in epoch ms
 */
export function ages<Row extends object>(
  clock: Clock,
  since: (row: Row) => number,
  repaint: (rows: Row[]) => void,
): Ages<Row> {
  const paintedAt = new WeakMap<Row, number>();
  let due: Row[] = [];
  let cancel: Cancel | undefined;

  const hasAged = (row: Row): boolean => {
    const then = paintedAt.get(row);
    if (then === undefined) return false;
    return relativeTime(since(row), then) !== relativeTime(since(row), clock.now());
  };
  const next = (): void => {
    // Some may have been painted while they waited, together with the whole list.
    due = due.filter(hasAged);
    const rows = due.splice(0, atOnce);
    cancel = rows.length === 0 ? undefined : clock.after(pauseMs, next);
    if (rows.length > 0) repaint(rows);
  };
  return {
    painted: (row) => void paintedAt.set(row, clock.now()),
    refresh(rows) {
      // Finishes the round first, or the end of a long list would never have its turn.
      if (cancel !== undefined) return;
      due = [...rows];
      next();
    },
    dispose() {
      cancel?.();
      cancel = undefined;
    },
  };
}
