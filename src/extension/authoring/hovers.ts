import type { Range } from '../problems/problem.ts';
import type { FileContext } from './completions.ts';
import { definitionIn } from './definition.ts';
import { type Place, placeAt } from './place.ts';
import { wordsAt } from './words-at.ts';

export interface HoverText {
  readonly range: Range;
  /** Markdown. */
  readonly text: string;
}

/**
 * The meaning of a word in a definition; undefined if there is none. If the file has types, TypeScript explains the
 * keys of the component, but neither values nor keys of a prop.
 */
export function hoverAt(
  text: string,
  offset: number,
  { isTyped }: Pick<FileContext, 'isTyped'>,
): HoverText | undefined {
  const definition = definitionIn(text);
  const place = definition && placeAt(text, offset, definition.root);
  if (definition === undefined || place === undefined) return undefined;
  const words = wordsAt(text, definition, place);
  const range = wordOf(text, place);
  if (words === undefined || range === undefined || offset < range.start) return undefined;
  const isSaid = isTyped && place.at === 'key' && words.what !== 'key of a prop';
  const word = text.slice(range.start, range.end).replaceAll(/^["'`]|["'`]$/g, '');
  const doc = Object.hasOwn(words.docs, word) ? words.docs[word] : undefined;
  if (isSaid || doc === undefined || doc === '') return undefined;
  return { range, text: `\`${word}\` · ${words.what}\n\n${doc}` };
}

/** The name of a member, or its value with the quotes. */
function wordOf(text: string, place: Place): Range | undefined {
  if (place.at === 'key') return place.member && place.range;
  const { valueStart: start, end } = place.member;
  return /^(["'`])[^\n]*\1$/.test(text.slice(start, end)) ? { start, end } : undefined;
}
