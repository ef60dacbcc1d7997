import type { Range } from '../problems/problem.ts';
import type { LooseMember, LooseObject } from './loose-object.ts';

/** The place of an offset in a definition. */
export type Place = KeyPlace | ValuePlace;

interface Within {
  /** Names from the definition down; of a value, with the name of its member. */
  readonly path: readonly string[];
  /** The object literals around the place, from the definition down. */
  readonly owners: readonly [LooseObject, ...LooseObject[]];
}

/** At the name of a member, or where one may be typed. */
export interface KeyPlace extends Within {
  readonly at: 'key';
  /** The name; empty where one may be typed. */
  readonly range: Range;
  readonly member: LooseMember | undefined;
}

/** In the value of a member that is no object literal. */
export interface ValuePlace extends Within {
  readonly at: 'value';
  readonly member: LooseMember;
}

/** @returns undefined outside of the definition, and where nothing of it can be typed */
export function placeAt(text: string, offset: number, root: LooseObject): Place | undefined {
  return placeIn(text, offset, root, { path: [], owners: [root] });
}

function placeIn(
  text: string,
  offset: number,
  owner: LooseObject,
  within: Within,
): Place | undefined {
  if (offset <= owner.start || offset > owner.end) return undefined;
  if (offset === owner.end && text[offset - 1] === '}') return undefined;
  const member = owner.members.find(({ start, end }) => start <= offset && offset <= end);
  if (member === undefined) return gapAt(text, offset, owner, within);
  if (member.kind === 'other') return undefined;
  if (offset <= member.nameEnd) {
    const range = { start: nameStart(text, member), end: member.nameEnd };
    return offset < range.start ? undefined : { ...within, at: 'key', range, member };
  }
  if (offset < member.valueStart) return undefined;
  const path = [...within.path, member.name];
  const { object } = member;
  if (object !== undefined && offset > object.start) {
    const isInside = offset < object.end || text[object.end - 1] !== '}';
    const inner: Within = { path, owners: [...within.owners, object] };
    return isInside ? placeIn(text, offset, object, inner) : undefined;
  }
  return { ...within, at: 'value', path, member };
}

/** After `async`, `get` and the like. */
function nameStart(text: string, { start, nameEnd }: LooseMember): number {
  const name = /(?:[\p{L}\p{N}_$]+|(["'])[^\n]*\1)$/u.exec(text.slice(start, nameEnd));
  return start + (name?.index ?? 0);
}

function gapAt(
  text: string,
  offset: number,
  owner: LooseObject,
  within: Within,
): Place | undefined {
  const before = owner.members.findLast(({ end }) => end <= offset);
  const gap = text.slice(before?.end ?? owner.start + 1, offset);
  const code = gap.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\/\/[^\n]*\n/g, '\n');
  const isWaiting = before?.kind === 'value' && before.valueStart === before.end;
  // `type: |`, with only spaces after the colon.
  if (isWaiting && !/[^ \t]/.test(code)) {
    return { ...within, at: 'value', path: [...within.path, before.name], member: before };
  }
  const isSeparate = before === undefined || /[,\n]/.test(code);
  // The remaining text is an unfinished comment.
  if (!isSeparate || /[^\s,]/.test(code)) return undefined;
  return { ...within, at: 'key', range: { start: offset, end: offset }, member: undefined };
}
