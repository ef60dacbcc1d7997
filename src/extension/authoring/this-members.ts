import type { Range } from '../problems/problem.ts';
import { type LooseMember, skipLoosely } from './loose-object.ts';

/**
 * The name that is typed after `this.`, where `this` is that of a function.
 * @param member the function, as a method or a value
 * @returns undefined where there is no such name, in text, in a function with a `this` of its own, and
 * where the member is an arrow function or none at all
 */
export function nameAfterThis(
  text: string,
  offset: number,
  member: LooseMember,
): Range | undefined {
  const from = member.valueStart;
  const typed = /\bthis\s*\??\.\s*([\p{L}\p{N}_$]*)$/u.exec(text.slice(from, offset))?.[1];
  if (typed === undefined) return undefined;
  const isFunction = member.kind === 'method' || /^(?:async\s+)?function\b/.test(text.slice(from));
  if (!isFunction || !isInBody(text, offset, from)) return undefined;
  const rest = /^[\p{L}\p{N}_$]*/u.exec(text.slice(offset))?.[0] ?? '';
  return { start: offset - typed.length, end: offset + rest.length };
}

type Bracket = 'outermost body' | 'inner body' | 'other';

/** Whether an offset is in the code of the function that starts here, and in no other but arrows. */
function isInBody(text: string, offset: number, from: number): boolean {
  const open: { readonly bracket: Bracket; readonly start: number }[] = [];
  let parameters = from;
  let isBegun = false;
  let at = from;
  while (at < offset) {
    const char = text[at] ?? '';
    if ('([{'.includes(char)) {
      const isBody = char === '{' && isBodyOfFunction(text, from, parameters, at);
      open.push({
        bracket: isBody ? (isBegun ? 'inner body' : 'outermost body') : 'other',
        start: at,
      });
      isBegun ||= isBody;
      at += 1;
    } else if (')]}'.includes(char)) {
      const closed = open.pop();
      if (char === ')') parameters = closed?.start ?? from;
      at += 1;
    } else {
      const end = skipLoosely(text, at);
      const isText = /^(?:["'`]|\/[/*])/.test(text.slice(at, at + 2));
      if (end < offset || (end === offset && !isText)) {
        at = end;
        continue;
      }
      // In a string or a comment, unless it is what a template computes.
      const code = char === '`' ? text.slice(at, offset).lastIndexOf('${') : -1;
      if (code === -1) return false;
      open.push({ bracket: 'other', start: at });
      at += code + 2;
    }
  }
  const brackets = open.map(({ bracket }) => bracket);
  return brackets.includes('outermost body') && !brackets.includes('inner body');
}

const statement = /\b(?:if|for|while|switch|catch|with|await)\s*$/;

/** A brace after parentheses opens a function's body, unless a statement's word is before them. */
function isBodyOfFunction(text: string, from: number, parameters: number, brace: number): boolean {
  if (!text.slice(from, brace).trimEnd().endsWith(')')) return false;
  return !statement.test(text.slice(from, parameters));
}
