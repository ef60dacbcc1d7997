import type { Range } from '../problems/problem.ts';
import { skipBlank } from '../problems/skip-code.ts';
import { type Definition, definitionIn, textOf, typesOf } from './definition.ts';
import type { LooseObject } from './loose-object.ts';
import { type KeyPlace, placeAt, type ValuePlace } from './place.ts';
import { literally, memberSnippet } from './snippets.ts';
import { nameAfterThis } from './this-members.ts';
import { type Words, wordsAt } from './words-at.ts';

/** One entry of a completion list. */
export interface Offer {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'member of this';
  /** A short description of the entry. */
  readonly detail: string;
  /** Markdown. */
  readonly doc: string;
  /** In the syntax of snippets. */
  readonly snippet: string;
  /** The range that it replaces. */
  readonly range: Range;
  /** Whether its value is chosen next, from a list. */
  readonly isChosenNext: boolean;
}

/** The language services that also complete the file. */
export interface FileContext {
  readonly language: 'javascript' | 'typescript';
  /** The editor finds the types of the `define…` function that the file imports. */
  readonly isTyped: boolean;
}

/**
 * The completions of Weir at a place of a component file, in the order of the list. In a file with types only those
 * that TypeScript does not offer itself.
 */
export function completionsAt(text: string, offset: number, context: FileContext): Offer[] {
  const definition = definitionIn(text);
  if (definition === undefined) return [];
  const place = placeAt(text, offset, definition.root);
  if (place === undefined) return [];
  const words = wordsAt(text, definition, place, true);
  if (context.isTyped && !isMissedByTypes(text, place.owners, words)) return [];
  if (words !== undefined) {
    return place.at === 'key'
      ? keyOffers(text, definition, place, words)
      : valueOffers(text, offset, place, words);
  }
  return thisOffers(text, offset, definition, place, context);
}

/** Once a prop has a type, TypeScript finds no further key of it: it infers the prop from what is there. */
function isMissedByTypes(
  text: string,
  owners: readonly LooseObject[],
  words: Words | undefined,
): boolean {
  if (words?.what !== 'key of a prop' || typesOf(text) !== 'weir/component') return false;
  const names = owners.at(-1)?.members.map(({ name }) => name) ?? [];
  return names.includes('type') || names.includes('propDefinition');
}

function keyOffers(
  text: string,
  { kind }: Definition,
  { range, member, owners, path }: KeyPlace,
  { what, docs }: Words,
): Offer[] {
  const taken = new Set(
    owners
      .at(-1)
      ?.members.filter((one) => one !== member)
      .map(({ name }) => name),
  );
  // A name in quotes is an odd one.
  if (member?.name !== undefined && text.slice(range.start, range.end) !== member.name) return [];
  const hasValue = member !== undefined && member.kind !== 'name';
  const comma = text[skipBlank(text, range.end)] === ',' ? '' : ',';
  const quote = quoteOf(text);
  return Object.entries(docs)
    .filter(([label]) => !taken.has(label))
    .map(([label, doc]) => {
      const snippet = memberSnippet(label, kind).replaceAll('"', quote);
      const value = { at: 'value', path: [...path, label], owners } as const;
      return {
        label,
        kind: 'key',
        detail: what,
        doc,
        snippet: hasValue ? label : snippet + comma,
        range,
        isChosenNext: !hasValue && wordsAt(text, { kind }, value) !== undefined,
      };
    });
}

function valueOffers(
  text: string,
  offset: number,
  { member }: ValuePlace,
  { what, docs }: Words,
): Offer[] {
  const typed = text.slice(member.valueStart, member.end);
  const isQuoted = /^["'`]/.test(typed);
  // Anything but a text, or the beginning of one.
  if (!isQuoted && !/^[\w$.]*$/.test(typed)) return [];
  const isClosed = typed.length > 1 && typed.endsWith(typed[0] ?? '');
  const isTyped = typed !== '';
  const range = isQuoted
    ? { start: member.valueStart + 1, end: member.end - (isClosed ? 1 : 0) }
    : { start: isTyped ? member.valueStart : offset, end: isTyped ? member.end : offset };
  if (offset < range.start || offset > range.end) return [];
  const quote = isQuoted ? '' : quoteOf(text);
  return Object.entries(docs).map(([label, doc]) => ({
    label,
    kind: 'value',
    detail: what,
    doc,
    snippet: quote + literally(label) + quote,
    range,
    isChosenNext: false,
  }));
}

/** Functions that are called with the component as `this` (P2.1). */
const called = /^(?:run|additionalProps|hooks\/[^/]+|methods\/[^/]+)$/;

function thisOffers(
  text: string,
  offset: number,
  { root, kind }: Definition,
  place: KeyPlace | ValuePlace,
  { language }: FileContext,
): Offer[] {
  if (place.at !== 'value' || !called.test(place.path.join('/'))) return [];
  const range = nameAfterThis(text, offset, place.member);
  if (range === undefined) return [];
  const offer = (label: string, detail: string, doc: string): Offer => ({
    label,
    kind: 'member of this',
    detail,
    doc,
    snippet: literally(label),
    range,
    isChosenNext: false,
  });
  const props = kind === 'app' ? [] : namesIn(root, 'props');
  // In JavaScript TypeScript takes the object around a method for its `this`, which has the others.
  const hasSiblings = language === 'javascript' && place.path[0] === 'methods';
  const methods = hasSiblings ? [] : namesIn(root, 'methods');
  const propsObject = root.members.find(({ name }) => name === 'props')?.object;
  return [
    ...props.map((name) => offer(name, 'prop', typeOfProp(text, propsObject, name))),
    ...methods.filter((name) => !props.includes(name)).map((name) => offer(name, 'method', '')),
    ...(kind === 'source' ? [offer('$emit', 'method', emitDoc)] : []),
    ...(kind === 'app' ? [offer('$auth', 'credentials', authDoc)] : []),
  ];
}

const emitDoc = 'Emits an event: `this.$emit(event, {id, summary, name, ts})`.';
const authDoc = 'The credentials of the connected account.';

function typeOfProp(text: string, props: LooseObject | undefined, prop: string): string {
  const member = props?.members.find(({ name }) => name === prop);
  if (props === undefined || member === undefined) return '';
  const type =
    member.object === undefined ? textOf(text, props, prop) : textOf(text, member.object, 'type');
  return type === undefined ? '' : `\`${type}\``;
}

/** The names that can be written after a dot. */
function namesIn(root: LooseObject, key: string): string[] {
  const members = root.members.find(({ name }) => name === key)?.object?.members ?? [];
  return members.map(({ name }) => name).filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name));
}

/** The quotes that the file has. */
function quoteOf(text: string): string {
  return /(?:\bfrom|\brequire\(|:)\s*(["'])/.exec(text)?.[1] ?? '"';
}
