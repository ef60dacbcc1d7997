import { skipBlank, skipToken } from '../problems/skip-code.ts';

/** A member of an object literal that may be half typed. All places are offsets in the text. */
export interface LooseMember {
  readonly name: string;
  readonly start: number;
  readonly nameEnd: number;
  /**
   * A value after a colon, a method, or nothing yet: only a name, as it is typed. Others are spreads and
   * computed names.
   */
  readonly kind: 'value' | 'method' | 'name' | 'other';
  /** Start of the value; for a method, of its parameters and body. */
  readonly valueStart: number;
  readonly end: number;
  /** The value, when it is an object literal. */
  readonly object: LooseObject | undefined;
}

export interface LooseObject {
  readonly start: number;
  /** After the closing brace, or where the text stopped making sense. */
  readonly end: number;
  readonly members: readonly LooseMember[];
}

/**
 * Reads an object literal as far as it goes: commas, quotes and brackets may be missing, because somebody is
 * typing. What it makes of such a text is a guess; problems are found by `readObject`, which makes none.
 * @param start offset of the opening brace
 */
export function readLooseObject(text: string, start: number): LooseObject {
  const members: LooseMember[] = [];
  let at = skipBlank(text, start + 1);
  while (at < text.length) {
    const char = text[at] ?? '';
    if (')]}'.includes(char)) {
      const isOwn = char === '}' && !isOfWhatIsAround(text, start, at);
      return { start, end: isOwn ? at + 1 : at, members };
    }
    const member = readMember(text, at);
    if (member !== undefined) members.push(member);
    // A comma, or what nobody expects here.
    const next = member?.end ?? skipLoosely(text, at);
    at = skipBlank(text, Math.max(next, at + 1));
  }
  return { start, end: text.length, members };
}

/** A brace that starts a line closes nothing that is indented further: there is a brace too few. */
function isOfWhatIsAround(text: string, start: number, brace: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', brace) + 1, brace);
  return before.trim() === '' && before.length < indentOf(text, start).length;
}

const memberName =
  /(?:(?:async|get|set|static)(?=\s+[\w$]|\s*["'*])\s*|\*\s*)*(?:([\p{L}_$][\p{L}\p{N}_$]*)|(["'])([^"'\n]*)\2)/uy;

function readMember(text: string, start: number): LooseMember | undefined {
  if (text.startsWith('...', start) || text[start] === '[') {
    const end = endOfValue(text, text[start] === '[' ? skipLoosely(text, start) : start + 3);
    const nowhere = { name: '', nameEnd: start, valueStart: start, object: undefined };
    return { ...nowhere, kind: 'other', start, end };
  }
  memberName.lastIndex = start;
  const found = memberName.exec(text);
  if (found === null) return undefined;
  const name = found[1] ?? found[3] ?? '';
  const nameEnd = memberName.lastIndex;
  const after = skipBlank(text, nameEnd);
  const places = { name, start, nameEnd };
  if (text[after] === ':') {
    const colonEnd = after + 1;
    const valueStart = valueAfter(text, colonEnd);
    if (valueStart === undefined) {
      return { ...places, kind: 'value', valueStart: colonEnd, end: colonEnd, object: undefined };
    }
    const object = text[valueStart] === '{' ? readLooseObject(text, valueStart) : undefined;
    const end = endOfValue(text, object?.end ?? valueStart);
    return { ...places, kind: 'value', valueStart, end, object };
  }
  if (text[after] === '(') {
    const body = text.indexOf('{', skipLoosely(text, after));
    const end = body === -1 ? text.length : skipLoosely(text, body);
    return { ...places, kind: 'method', valueStart: after, end, object: undefined };
  }
  return { ...places, kind: 'name', valueStart: nameEnd, end: nameEnd, object: undefined };
}

/** A line that starts with this is the next member, whether or not there was a comma before. */
const nextMember =
  /[ \t\r\n]*(?:(?:[\w$]+|"[^"\n]*"|'[^'\n]*')[ \t]*:(?!:)|(?:async[ \t]+)?\*?[ \t]*[\w$]+[ \t]*\([^)\n]*\)[ \t]*\{|\.\.\.)/y;

function startsMember(text: string, at: number): boolean {
  nextMember.lastIndex = at;
  return nextMember.test(text);
}

/** Where the value starts; undefined if only the next member or the end follows. */
function valueAfter(text: string, colonEnd: number): number | undefined {
  const valueStart = skipBlank(text, colonEnd);
  const isOnNextLine = text.slice(colonEnd, valueStart).includes('\n');
  const isMissing = isOnNextLine && startsMember(text, valueStart);
  return isMissing || ',}'.includes(text[valueStart] ?? ',') ? undefined : valueStart;
}

/** The comma or brace after a value, or the line end where one is missing. */
function endOfValue(text: string, from: number): number {
  let at = from;
  let isConditional = false;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (',)]}'.includes(char)) break;
    if (char === '?') isConditional = true;
    if (char === '\n' && !isConditional && startsMember(text, at)) break;
    at = skipLoosely(text, at);
  }
  return from + text.slice(from, at).trimEnd().length;
}

/** As `skipToken`; what is not terminated ends with its line, a bracket with the block it opened. */
export function skipLoosely(text: string, from: number): number {
  const after = skipToken(text, from);
  if (after !== undefined) return after;
  return '([{`'.includes(text[from] ?? '') ? endOfBlock(text, from) : endOfLine(text, from);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/**
 * The end of a block whose brackets do not match: the first line with the indent of the opening line that starts with a
 * closing bracket, as in formatted code.
 */
function endOfBlock(text: string, from: number): number {
  const indent = indentOf(text, from);
  const closing = /\n([ \t]*)[}\])]/g;
  closing.lastIndex = from;
  for (let found = closing.exec(text); found !== null; found = closing.exec(text)) {
    const [all, own = ''] = found;
    if (own === indent) return found.index + all.length;
    // The end of what is around it.
    if (own.length < indent.length) return found.index;
  }
  return text.length;
}

/** White space at the start of the line that an offset is in. */
function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
