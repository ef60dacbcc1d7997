/** Steps over JavaScript without parsing it: strings, comments and brackets are skipped as a whole. */

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Closes a substitution in a template, whose text then continues. */
const substitution = '`}';
/**
 * After these a slash starts a regular expression; after anything else it divides. A `++` or `--` mostly
 * stands after what it counts.
 */
const beforeRegExp =
  /(?:\.{3}|[(,=:[!&|?{};*%~^<>]|(?<!\+)\+|(?<!-)-|(?<![\w$]|(?<!\.\.)\.)(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield))$/;

/** The offset after white space and comments. */
export function skipBlank(text: string, from: number): number {
  const blank = /(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex;
}

/**
 * The offset after whatever starts here: a string, a template, or a bracket with all its content.
 * @returns undefined when it is not terminated
 */
export function skipOne(text: string, from: number): number | undefined {
  const start = text[from] ?? '';
  if (start === '`') return afterTemplate(text, from);
  const close = closing[start];
  if (close === undefined) return afterString(text, from);
  const end = skipTo(text, from + 1, close);
  return end === undefined ? undefined : end + 1;
}

/**
 * The offset after one step through code: over a string, a template, a regular expression, a comment, a
 * bracket with all its content, or else one character.
 * @returns undefined at the end of the text, and for what is not terminated
 */
export function skipToken(text: string, from: number): number | undefined {
  const char = text[from];
  if (char === undefined) return undefined;
  if (char === '/') {
    const code = skipBlank(text, from);
    if (code > from) return code;
    const before = text.slice(Math.max(0, from - 20), from).trimEnd();
    return (beforeRegExp.test(before) ? afterMatch(text, from, regExp) : undefined) ?? from + 1;
  }
  return char in closing || char in quoted || char === '`' ? skipOne(text, from) : from + 1;
}

/**
 * The offset of the first of these characters that is not inside a string, comment or bracket.
 * @param from where an expression or a statement may begin
 */
export function skipTo(text: string, from: number, wanted: string): number | undefined {
  // The closing bracket of each open one, the innermost last. A list of our own, because nothing limits its depth.
  const open: string[] = [];
  /** The end of what was last stepped over, white space and comments aside. */
  let last = from;
  let at: number | undefined = from;
  while (at !== undefined && at < text.length) {
    const char: string = text[at] ?? '';
    const innermost = open.at(-1);
    if (innermost === undefined && wanted.includes(char)) return at;
    const code = skipBlank(text, at);
    if (code > at) {
      at = code;
      continue;
    }
    if (char in closing) {
      open.push(closing[char] ?? '');
      at += 1;
    } else if (')]}'.includes(char)) {
      if (innermost?.at(-1) !== char) return undefined;
      open.pop();
      at = innermost === substitution ? afterTemplateText(text, at + 1, open) : at + 1;
    } else if (char === '`') at = afterTemplateText(text, at + 1, open);
    else if (char === '"' || char === "'") at = afterString(text, at);
    else if (
      char === '/' &&
      (last === from || beforeRegExp.test(text.slice(Math.max(0, last - 12), last)))
    ) {
      at = afterMatch(text, at, regExp) ?? at + 1;
    } else at += 1;
    last = at ?? last;
  }
  return undefined;
}

const regExp = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const quoted: Readonly<Record<string, RegExp>> = {
  '"': /"(?:[^"\\\n]|\\[\s\S])*"/y,
  "'": /'(?:[^'\\\n]|\\[\s\S])*'/y,
};
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

/** Undefined for what is no string, too. */
function afterString(text: string, from: number): number | undefined {
  const pattern = quoted[text[from] ?? ''];
  return pattern === undefined ? undefined : afterMatch(text, from, pattern);
}

function afterTemplate(text: string, from: number): number | undefined {
  let end = afterMatch(text, from + 1, templateText);
  while (end !== undefined && text[end - 1] === '{') {
    const close = skipTo(text, end, '}');
    end = close === undefined ? undefined : afterMatch(text, close + 1, templateText);
  }
  return end;
}

/** Continues to the end of the template, or to the next substitution, which is `open` then. */
function afterTemplateText(text: string, from: number, open: string[]): number | undefined {
  const end = afterMatch(text, from, templateText);
  if (end !== undefined && text[end - 1] === '{') open.push(substitution);
  return end;
}

function afterMatch(text: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) === null ? undefined : pattern.lastIndex;
}
