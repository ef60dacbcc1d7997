/** Tables that fit the terminal (pure). */
import { characters, oneLine } from './printable.ts';

export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => string | number | boolean | null;
  /** May be cut when the terminal is narrow. Ids and URLs, which people copy, never are. */
  readonly shrinks?: boolean;
}

const gap = '  ';
const narrowest = 8;

/** @param width columns of the terminal; undefined when the output goes to a file: nothing is cut */
export function table<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  width: number | undefined,
): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ of }) => oneLine(String(of(row) ?? '')))),
  ];
  const natural = columns.map((_column, i) => Math.max(...cells.map((row) => lengthOf(row[i]))));
  const widths = fit(columns, natural, width);
  return cells
    .map((row) =>
      row
        .map((cell, i) => pad(cell, widths[i] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Takes from the widest column that may shrink until the row fits. Where nothing is left to take rows
 * wrap anyway, so that cutting gains nothing and all is shown whole.
 */
function fit<T>(
  columns: readonly Column<T>[],
  natural: readonly number[],
  width: number | undefined,
): number[] {
  const widths = [...natural];
  if (width === undefined) return widths;
  const spare = width - gap.length * (columns.length - 1);
  for (let over = widths.reduce((sum, each) => sum + each, 0) - spare; over > 0; over--) {
    let widest = -1;
    columns.forEach(({ shrinks }, i) => {
      const here = widths[i] ?? 0;
      if (shrinks === true && here > narrowest && here > (widths[widest] ?? 0)) widest = i;
    });
    if (widest === -1) return [...natural];
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function pad(cell: string, width: number): string {
  const parts = characters(cell);
  if (parts.length <= width) return cell + ' '.repeat(width - parts.length);
  return `${parts.slice(0, width - 1).join('')}…`;
}

function lengthOf(cell: string | undefined): number {
  return characters(cell ?? '').length;
}
