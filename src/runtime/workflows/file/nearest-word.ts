/** The word that was probably meant (pure). */

/**
 * @returns the word nearest to what was written; undefined when none is near. Case and separators do not count:
 * `onError` is `on_error`.
 */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  // A text that is much longer than any word is not a typing error.
  if (written.length > 40) return undefined;
  const bare = bareWord(written);
  let nearest: string | undefined;
  let least = Math.floor(Math.max(bare.length, 3) / 3) + 1;
  for (const word of words) {
    const distance = distanceOf(bare, bareWord(word));
    if (distance < least) [nearest, least] = [word, distance];
  }
  return nearest;
}

function bareWord(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9$]/g, '');
}

/** How many characters have to be added, removed, replaced or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
