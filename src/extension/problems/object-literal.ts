import { skipBlank, skipOne, skipTo } from './skip-code.ts';

/** A member of an object literal. All places are offsets in the text. */
export interface Member {
  /** Undefined for a computed one, and for one that is written with escapes. */
  readonly name: string | undefined;
  readonly start: number;
  readonly nameEnd: number;
  /** Start of the value; for a method, of its parameters and body. */
  readonly valueStart: number;
  readonly end: number;
}

export interface ObjectLiteral {
  readonly start: number;
  /** After the closing brace. */
  readonly end: number;
  readonly members: readonly Member[];
  /** Contains `...something`, so it has more members than can be seen. */
  readonly hasSpread: boolean;
}

/**
 * @param start offset of the opening brace
 * @returns undefined for what cannot be parsed
 */
export function readObject(text: string, start: number): ObjectLiteral | undefined {
  if (text[start] !== '{') return undefined;
  const members: Member[] = [];
  let hasSpread = false;
  let at = skipBlank(text, start + 1);
  while (at < text.length) {
    if (text[at] === '}') return { start, end: at + 1, members, hasSpread };
    if (text[at] === ',') {
      at = skipBlank(text, at + 1);
      continue;
    }
    if (text.startsWith('...', at)) {
      hasSpread = true;
      const end = skipTo(text, at + 3, ',}');
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    const member = readMember(text, at);
    if (member === undefined) return undefined;
    members.push(member);
    at = skipBlank(text, member.end);
  }
  return undefined;
}

/** The content of a plain string literal, undefined for anything else. */
export function stringValue(text: string, { valueStart, end }: Member): string | undefined {
  const match = /^(["'`])([^"'`\\$]*)\1$/.exec(text.slice(valueStart, end).trim());
  return match?.[2];
}

/** Names themselves, unless another name follows. */
const modifiers: ReadonlySet<string> = new Set(['async', 'get', 'set', 'static']);
const identifier = /[\p{ID_Start}_$#][\p{ID_Continue}$\u200C\u200D]*|\d+/uy;

function readMember(text: string, start: number): Member | undefined {
  const at = afterModifiers(text, start);
  const name = readName(text, at);
  if (name === undefined) return undefined;
  const after = skipBlank(text, name.end);
  const places = { name: name.name, start, nameEnd: name.end };
  if (text[after] === ':') {
    const valueStart = skipBlank(text, after + 1);
    const end = skipTo(text, valueStart, ',}');
    return end === undefined ? undefined : { ...places, valueStart, end: trimmed(text, end) };
  }
  if (text[after] === '(') {
    const end = skipTo(text, skipOne(text, after) ?? text.length, '{');
    const body = end === undefined ? undefined : skipOne(text, end);
    return body === undefined ? undefined : { ...places, valueStart: after, end: body };
  }
  const isShorthand = text[after] === ',' || text[after] === '}';
  return isShorthand ? { ...places, valueStart: start, end: name.end } : undefined;
}

function afterModifiers(text: string, start: number): number {
  let at = start;
  for (;;) {
    identifier.lastIndex = at;
    const word = text[at] === '*' ? '*' : identifier.exec(text)?.[0];
    if (word !== '*' && !modifiers.has(word ?? '')) return at;
    const next = skipBlank(text, at + (word ?? '').length);
    if (word !== '*' && ':(,}'.includes(text[next] ?? '}')) return at;
    at = next;
  }
}

function readName(
  text: string,
  at: number,
): { readonly name: string | undefined; readonly end: number } | undefined {
  const char = text[at];
  if (char === '"' || char === "'") {
    const end = skipOne(text, at);
    if (end === undefined) return undefined;
    const name = text.slice(at + 1, end - 1);
    return { name: name.includes('\\') ? undefined : name, end };
  }
  if (char === '[') {
    const end = skipOne(text, at);
    return end === undefined ? undefined : { name: undefined, end };
  }
  identifier.lastIndex = at;
  const found = identifier.exec(text);
  return found === null ? undefined : { name: found[0], end: identifier.lastIndex };
}

function trimmed(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}
