/** Sentences of a page that are too long to be read once (pure). */

export interface LongSentence {
  /** From 1: the line that the paragraph of the sentence begins on. */
  readonly line: number;
  readonly words: number;
  readonly text: string;
}

export const maxWords = 30;

/** The sentences of a Markdown page with more than 30 words. Code, tables, headings, the targets of links and types (“Returns { … }”) are not counted. */
export function longSentences(page: string): LongSentence[] {
  return paragraphsOf(page).flatMap(({ line, text }) =>
    sentencesOf(text).flatMap((sentence) => {
      const words = wordsIn(sentence);
      return words > maxWords && !sentence.startsWith('Returns {')
        ? [{ line, words, text: sentence }]
        : [];
    }),
  );
}

/** Paragraphs and list items, each on one line; a blank line, a marker of a list, a table, a heading or code ends one. */
function paragraphsOf(page: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [at, row] of page.split('\n').entries()) {
    const text = row.trim();
    const isFence = text.startsWith('```');
    if (isFence) isCode = !isCode;
    if (isCode || isFence || text === '' || /^(?:[|#<]|!\[)/.test(text)) {
      isOpen = false;
      continue;
    }
    const item = /^(?:[-*]|\d+\.) +(.*)/.exec(text)?.[1];
    const last = found.at(-1);
    if (item === undefined && isOpen && last !== undefined) last.text += ` ${text}`;
    else found.push({ line: at + 1, text: item ?? text });
    isOpen = true;
  }
  return found;
}

/** Split after a full stop, question or exclamation mark that a new sentence follows, and between the items of a line such as "one · two". */
function sentencesOf(text: string): string[] {
  const code: string[] = [];
  const masked = text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/`[^`]*`/g, (found) => `\`${code.push(found) - 1}\``)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return masked
    .split(/(?<=[.!?…]["”)*_]{0,3}) +(?=["“(*_]{0,3}[\p{Lu}\p{N}`])| · /u)
    .map((sentence) => sentence.replaceAll(/`(\d+)`/g, (_, index: string) => code[+index] ?? ''));
}

function wordsIn(sentence: string): number {
  const counted = sentence.replaceAll(/`[^`]*`/g, ' ');
  return counted.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
