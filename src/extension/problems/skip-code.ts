/** Walks over JavaScript without understanding it: what lies in strings, comments and brackets is passed by. */

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** After these a slash starts a regular expression, after all else it divides. */
const beforeRegExp = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\breturn|\btypeof|=>)\s*$/;

/** The place after white space and comments. */
export function skipBlank(text: string, from: number): number {
  const blank = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex;
}

/**
 * The place after whatever starts here: a string, a comment, a bracket with all that is in it, or
 * one character.
 * @returns undefined when it has no end
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
 * The place of the first of these characters that is not inside of something.
 * @param beyond how many characters further the answer is
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
