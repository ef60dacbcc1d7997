/** What a key does in the tree of steps (pure). */
import { triggerKey, type TimelineRow } from './tree.ts';

export interface Move {
  readonly do: 'go' | 'toggle' | 'choose';
  /** Of the row that has the focus then. */
  readonly id: string;
}

/**
 * @param current id of the row with the focus
 * @param page rows of a page
 * @returns undefined for a key that means nothing here
 */
export function moveIn(
  rows: readonly TimelineRow[],
  current: string,
  key: string,
  page: number,
): Move | undefined {
  const ids = [triggerKey, ...rows.map(({ node }) => node.id)];
  const at = Math.max(0, ids.indexOf(current));
  const row = rows[at - 1];
  const go = (to: number): Move => ({
    do: 'go',
    id: ids[Math.min(ids.length - 1, Math.max(0, to))] ?? triggerKey,
  });
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'PageDown':
      return go(at + page);
    case 'PageUp':
      return go(at - page);
    case 'Home':
      return go(0);
    case 'End':
      return go(ids.length - 1);
    case 'ArrowRight':
      if (row?.isOpen === false) return { do: 'toggle', id: row.node.id };
      return row?.isOpen === true ? go(at + 1) : undefined;
    case 'ArrowLeft':
      if (row?.isOpen === true) return { do: 'toggle', id: row.node.id };
      return row?.parent === undefined ? undefined : { do: 'go', id: row.parent };
    case 'Enter':
    case ' ':
      return { do: 'choose', id: ids[at] ?? triggerKey };
    default:
      return undefined;
  }
}
