/**
 * The word that was probably meant: one or two slips of the keyboard away, one for a short word, since most
 * short words are near to each other.
 */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  let found: { readonly word: string; readonly slips: number } | undefined;
  const most = typed.length <= 4 ? 1 : 2;
  for (const word of words) {
    const slips = slipsBetween(typed.toLowerCase(), word.toLowerCase());
    if (word !== typed && slips <= Math.min(most, (found?.slips ?? Infinity) - 1)) {
      found = { word, slips };
    }
  }
  return found?.word;
}

/** Optimal string alignment: letters added, left out, mistaken, or swapped with the next one. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [
        at(row, j - 1) + 1,
        at(last, j) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, j - 2) + 1 : Infinity,
      ];
      row.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
