/**
 * What a person types into a search box, as the index and as a plain comparison understand it (pure).
 * Both have to agree: a new event is compared before its words are indexed.
 *
 * All pieces between spaces must be there, in any order; a piece with signs in it (`ada@example.com`)
 * is the words of it side by side; of its last word the end may be missing. Upper and lower case and
 * accents make no difference. Nothing typed is an operator.
 */

/** Letters and digits, as SQLite's `unicode61` cuts a text into words. */
const word = String.raw`\p{L}\p{N}\p{Co}`;
const words = new RegExp(`[${word}]+`, 'gu');

/** The words of each piece; pieces without any are left out. */
export function piecesOf(query: string): string[][] {
  return query
    .split(/\s+/u)
    .map((piece) => folded(piece).match(words) ?? [])
    .filter((piece) => piece.length > 0);
}

/** True for a text the index would find. */
export function matcherOf(query: string): (text: string) => boolean {
  const patterns = piecesOf(query).map(
    (piece) => new RegExp(`(?<![${word}])${piece.join(`[^${word}]+`)}`, 'u'),
  );
  return (text) => {
    if (patterns.length === 0) return false;
    const plain = folded(text);
    return patterns.every((pattern) => pattern.test(plain));
  };
}

/** The words of a text, each as often as it is there. */
export function wordsOf(text: string): string[] {
  return folded(text).match(words) ?? [];
}

/** Prefixes of the words in a matching text. Empty if nothing can be found. */
export function prefixesOf(query: string): string[] {
  return piecesOf(query).flat();
}

/** The text of an event that is searched: escapes of JSON strings would otherwise stick to the word that follows. */
export function searchedText(summary: string | null, payload: string): string {
  return `${summary ?? ''} ${payload.replaceAll(/\\[\\nrtbf"]/g, ' ')}`;
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
