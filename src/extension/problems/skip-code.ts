/** Steps over JavaScript without parsing it: strings, comments and brackets are skipped as a whole. */

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** After these a slash starts a regular expression; after anything else it divides. */
const beforeRegExp = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\breturn|\btypeof|=>)\s*$/;

/** The offset after white space and comments. */
export function skipBlank(text: string, from: number): number {
  const blank = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex;
}

/**
 * The offset after whatever starts here: a string, a comment, a bracket with all its content, or one
 * character.
 * @returns undefined when it is not terminated
 */
export function skipOne(text: string, from: number): number | undefined {
  const start = text[from];
  if (start === undefined) return undefined;
  if (start === '"' || start === "'") return afterMatch(text, from, stringLiteral(start));
  if (start === '`') return skipTemplate(text, from);
  if (start === '/') return skipSlash(text, from);
  const end = closing[start];
  return end === undefined ? from + 1 : skipTo(text, from + 1, end, 1);
}

/**
 * The offset of the first of these characters that is not inside a string, comment or bracket.
 * @param beyond added to the result
 */
export function skipTo(text: string, from: number, wanted: string, beyond = 0): number | undefined {
  let at: number | undefined = from;
  while (at !== undefined && at < text.length) {
    const char = text[at] ?? '';
    if (wanted.includes(char)) return at + beyond;
    if (')]}'.includes(char)) return undefined;
    at = skipOne(text, at);
  }
  return undefined;
}

function stringLiteral(quote: string): RegExp {
  return new RegExp(String.raw`${quote}(?:[^${quote}\\\n]|\\[\s\S])*${quote}`, 'y');
}

function skipTemplate(text: string, from: number): number | undefined {
  let at = from + 1;
  while (at < text.length) {
    const char = text[at];
    if (char === '`') return at + 1;
    if (char === '$' && text[at + 1] === '{') {
      const after = skipTo(text, at + 2, '}', 1);
      if (after === undefined) return undefined;
      at = after;
    } else at += char === '\\' ? 2 : 1;
  }
  return undefined;
}

function skipSlash(text: string, from: number): number | undefined {
  const after = skipBlank(text, from);
  if (after > from) return after;
  if (!beforeRegExp.test(text.slice(Math.max(0, from - 20), from))) return from + 1;
  return afterMatch(text, from, /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y) ?? from + 1;
}

function afterMatch(text: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) === null ? undefined : pattern.lastIndex;
}
