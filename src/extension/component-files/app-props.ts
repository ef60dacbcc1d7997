/** A place where a component's text names an app, as `{ type: "app", app: "slack" }` (pure). */

export interface AppInText {
  /** 0-based. */
  readonly line: number;
  readonly app: string;
}

const appType = /\btype\s*:\s*(["'`])app\1/g;
const appSlug = /\bapp\s*:\s*(["'`])([a-z0-9][a-z0-9_-]*)\1/;

/** One entry per such object literal, in the order of the text; a comment counts if it looks like one. */
export function findAppProps(text: string): AppInText[] {
  return [...text.matchAll(appType)].flatMap(({ index }) => {
    const slug = appSlug.exec(literalAround(text, index))?.[2];
    if (slug === undefined) return [];
    return [{ line: text.slice(0, index).split('\n').length - 1, app: slug }];
  });
}

/** From the `{` before to the `}` after, without what is nested in between. */
function literalAround(text: string, at: number): string {
  let start = at;
  for (let depth = 0; start > 0; start -= 1) {
    const sign = text[start - 1];
    if (sign === '}') depth += 1;
    if (sign === '{' && depth-- === 0) break;
  }
  let end = at;
  let own = text.slice(start, at);
  for (let depth = 0; end < text.length; end += 1) {
    const sign = text[end] ?? '';
    if (sign === '}' && depth-- === 0) break;
    if (sign === '{') depth += 1;
    if (depth === 0) own += sign;
  }
  return own;
}
