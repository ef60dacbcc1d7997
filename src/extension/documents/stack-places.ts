/** A frame of a stack trace in a text. */
export interface StackPlace {
  /** Where the place stands in the text. */
  readonly start: number;
  readonly end: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Frames as Node prints them, `at run (/a b/c.ts:12:5)` and `at /a b/c.ts:12:5`; in JSON as well. */
const frame = /(\(|\bat )((?:\/|[A-Za-z]:[\\/])[^\n]*?):(\d+):(\d+)(?=\)?"?,?\r?$)/gm;

export function stackPlaces(text: string): StackPlace[] {
  return [...text.matchAll(frame)].map((match) => {
    const [whole, before = '', file = '', line, column] = match;
    return {
      start: match.index + before.length,
      end: match.index + whole.length,
      file,
      line: Number(line),
      column: Number(column),
    };
  });
}
