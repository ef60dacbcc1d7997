/** A frame of a stack trace in a text. */
export interface StackFrame {
  /** Offsets of `file:line:column` in the text, the end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Frames as Node prints them, `at run (/a b/c.ts:12:5)` and `at /a b/c.ts:12:5`; in JSON as well. */
const frame = /(\(|\bat )((?:\/|[A-Za-z]:[\\/])[^\n]*?):(\d+):(\d+)(?=\)?"?,?\r?$)/gm;

export function stackFrames(text: string): StackFrame[] {
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
