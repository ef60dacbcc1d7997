/**
 * The place of an expression in a text: `{{ … }}` with JavaScript between the braces. The runtime and the editor find
 * the same expressions.
 */

export interface ExpressionText {
  /** Offset of its `{{`. */
  readonly start: number;
  /** Offset behind its `}}`; the end of the text when it has none. */
  readonly end: number;
  /** The code between the braces, as written: it begins at `start + 2`. */
  readonly code: string;
  /** False: nothing ends it, so that it is text and no expression. */
  readonly closed: boolean;
}

/**
 * The expressions of a text, in order. Braces of objects, strings, template literals, regular expressions
 * and comments are stepped over: `{{ {a: {b: 1}} }}` and `{{ "}}" }}` are one each. Code that is not whole
 * (`{{ don't }}`) ends at the next `}}`, so that its author is told of the code and not of braces.
 */
export function expressionsIn(text: string): ExpressionText[] {
  const found: ExpressionText[] = [];
  /** After one piece of broken code, syntax is ignored: a scan to the end for each would be quadratic. */
  let whole = true;
  for (let from = 0; ;) {
    const start = text.indexOf('{{', from);
    if (start === -1) return found;
    let close = whole ? endOfCode(text, start + 2) : -1;
    if (close === -1) {
      whole = false;
      close = text.indexOf('}}', start + 2);
    }
    if (close === -1) {
      found.push({ start, end: text.length, code: text.slice(start + 2), closed: false });
      return found;
    }
    const end = close + 2;
    found.push({ start, end, code: text.slice(start + 2, close), closed: true });
    from = end;
  }
}

/**
 * The one expression that the text consists of, white space around it aside (YAML's folded texts end in a
 * line break): its value keeps its type.
 */
export function wholeExpression(text: string): ExpressionText | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{{') || !trimmed.endsWith('}}')) return undefined;
  const [first] = expressionsIn(text);
  return first?.closed === true && text.slice(first.end).trim() === '' ? first : undefined;
}

/** The offset of the `}}` that ends the code which begins at `from`; -1 when its syntax hides all of them. */
function endOfCode(text: string, from: number): number {
  /** The braces that are open. A `$` is one of a template literal, whose text goes on behind it. */
  const open: ('{' | '$')[] = [];
  const afterTemplateText = (at: number): number => {
    const end = endOfTemplateText(text, at);
    if (text[end] === '$') open.push('$');
    return end === -1 ? text.length : end + (text[end] === '$' ? 2 : 1);
  };
  for (let at = from; at < text.length;) {
    const character = text[at];
    if (character === '}') {
      if (open.length === 0 && text[at + 1] === '}') return at;
      at = open.pop() === '$' ? afterTemplateText(at + 1) : at + 1;
    } else if (character === '{') {
      open.push('{');
      at += 1;
    } else if (character === '`') at = afterTemplateText(at + 1);
    else if (character === '"' || character === "'") at = afterString(text, at);
    else if (character === '/') at = afterSlash(text, at, from);
    else at += 1;
  }
  return -1;
}

/** The offset of the backtick or of the `${` that ends a piece of a template literal; -1: nothing does. */
function endOfTemplateText(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '`' || (character === '$' && text[at + 1] === '{')) return at;
  }
  return -1;
}

function afterString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === quote) return at + 1;
    // No string goes over a line's end.
    else if (character === '\n') return text.length;
  }
  return text.length;
}

function afterSlash(text: string, at: number, codeStart: number): number {
  const next = text[at + 1];
  if (next === '*') {
    const end = text.indexOf('*/', at + 2);
    return end === -1 ? text.length : end + 2;
  }
  // Ends with the line, or before the braces: YAML may have folded the line's end away.
  if (next === '/') {
    const end = text.slice(at).search(/\n|\}\}/);
    return end === -1 ? text.length : at + end;
  }
  return isDivision(text, at, codeStart) ? at + 1 : afterRegularExpression(text, at);
}

const operandsFollow =
  /(?:^|[^\w$.])(?:typeof|instanceof|in|of|new|delete|void|return|throw|case|await|yield)$/;

/** The text before a slash distinguishes a division from a regular expression. */
function isDivision(text: string, slash: number, codeStart: number): boolean {
  let end = slash;
  while (end > codeStart && /\s/.test(text.charAt(end - 1))) end -= 1;
  if (end === codeStart || !/[\w$)\]}"'`]/.test(text.charAt(end - 1))) return false;
  const longestWord = 12;
  return !operandsFollow.test(text.slice(Math.max(codeStart, end - longestWord), end));
}

/** A slash that begins no regular expression (none ends on the line) is stepped over by itself. */
function afterRegularExpression(text: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n') break;
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at + 1;
  }
  return from + 1;
}
