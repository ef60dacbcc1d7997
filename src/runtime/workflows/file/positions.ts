/** Lines and columns of a text (pure). */

export interface TextPositions {
  /** @returns `line` 1-based, `column` 0-based in UTF-16 units; for an offset beyond the text, those of its end */
  at(offset: number): { readonly line: number; readonly column: number };
}

export function textPositions(text: string): TextPositions {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    at(offset) {
      const inside = Math.min(Math.max(offset, 0), text.length);
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= inside) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: inside - (starts[low] ?? 0) };
    },
  };
}
