/**
 * Text that came from strangers, harmless to a terminal: escape sequences, other control characters
 * and marks that turn the direction of writing become visible. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r') return '';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The same text on one line. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}

/** Text of several lines below its first one: no line of it looks like a line of what it is listed among. */
export function indented(text: string): string {
  return text.replaceAll(/\n {0,3}(?=\S)/g, '\n    ');
}

const segmenter = new Intl.Segmenter();

/** Splits a text into what a reader sees as single characters. */
export function characters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
