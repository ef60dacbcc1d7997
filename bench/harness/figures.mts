/** Figures: the median of many, and how they are printed (pure). */

/** The middle value, or the mean of the two in the middle. Throws on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined)
    throw new Error('There is nothing to take the median of.');
  return (upper + lower) / 2;
}

/** A table for a terminal: the first column left, the others right, two spaces between. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Three significant digits, with thousands separated: 55,200 · 41.3 · 0.52. */
export function formatNumber(value: number): string {
  if (value === 0) return '0';
  const digits = 2 - Math.floor(Math.log10(Math.abs(value)));
  const rounded = digits < 0 ? Math.round(value * 10 ** digits) / 10 ** digits : value;
  return rounded.toLocaleString('en-US', {
    minimumFractionDigits: Math.max(0, Math.min(digits, 2)),
    maximumFractionDigits: Math.max(0, Math.min(digits, 2)),
  });
}
