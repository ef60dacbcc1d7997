/** The content at a place of `workflow.yaml` that is being typed, complete or not (pure). */

/** A chain of names in an expression, such as `steps.greet.$return_value`. */
export interface Chain {
  /** Its names up to the place: of `steps.greet.re|` they are `steps` and `greet`. */
  readonly names: readonly string[];
  /** The name that the place is in or behind, as far as it is written. */
  readonly word: string;
  /** Start and end of the name in the text. */
  readonly start: number;
  readonly end: number;
  /** Offset of the `.` before it; undefined for the first name. */
  readonly dot: number | undefined;
}

/** How far back an expression may begin. */
const mostBack = 4000;
const link = /(?:[A-Za-z_$][\w$]*|\[\s*(?:\d+|"[^"\n]*"|'[^'\n]*')\s*\])/;
const chainBefore = new RegExp(
  String.raw`((?:[A-Za-z_$][\w$]*)(?:\s*\??\.\s*[A-Za-z_$][\w$]*|\s*(?:\?\.)?\[\s*(?:\d+|"[^"\n]*"|'[^'\n]*')\s*\])*\s*\??\.\s*)?([A-Za-z_$][\w$]*)?$`,
);

/** The chain at an offset, when that is in an expression. */
export function chainAt(text: string, offset: number): Chain | undefined {
  const from = Math.max(0, offset - mostBack);
  const before = text.slice(from, offset);
  const open = before.lastIndexOf('{{');
  if (open === -1 || before.includes('}}', open)) return undefined;
  // An expression that is not closed yet ends with the line, at the latest with the next key.
  if (/\n\s*(?:-\s+)?[\w-]+:\s/.test(before.slice(open))) return undefined;
  const code = before.slice(open + 2);
  const [, path = '', word = ''] = chainBefore.exec(code) ?? [];
  const rest = /^[\w$]*/.exec(text.slice(offset))?.[0] ?? '';
  const start = offset - word.length;
  return {
    names: namesOf(path),
    word: word + rest,
    start,
    end: offset + rest.length,
    dot: path === '' ? undefined : text.lastIndexOf('.', start - 1),
  };
}

function namesOf(path: string): string[] {
  return [...path.matchAll(new RegExp(link, 'g'))].map(([part]) => {
    const quoted = /^\[\s*["']?(.*?)["']?\s*\]$/.exec(part)?.[1];
    return quoted ?? part;
  });
}

/** The step at an offset, by where each begins; this also works for a text that cannot be parsed. */
export function stepNameAt(
  steps: readonly { readonly namespace: string; readonly line: number }[],
  line: number,
): string | undefined {
  return steps.findLast((step) => step.line <= line)?.namespace;
}
