/** Which sentences of a page `npm run texts -- --faults` finds too long. */
import { expect, test } from 'vitest';
import { longSentences, maxWords } from '../../../scripts/words/sentences.mts';

const words = (count: number): string => `The ${'word '.repeat(count - 2)}end`;

test('a sentence with one word too many, with its line', () => {
  const page = `# Title\n\nShort. ${words(maxWords + 1)}. Short.\n`;
  expect(longSentences(page)).toEqual([
    { line: 3, words: maxWords + 1, text: `${words(maxWords + 1)}.` },
  ]);
});

test('one that goes on over lines of a paragraph or an item', () => {
  const half = words(20);
  const item = `- ${half}\n  ${half}.`;
  expect(longSentences(`Short.\n\n${item}`)).toMatchObject([{ line: 3, words: 40 }]);
  expect(longSentences(`${half};\n${half}.`)).toMatchObject([{ line: 1, words: 40 }]);
});

test.each([
  ['as many words as allowed', `${words(maxWords)}.`],
  ['two sentences', `${words(20)}. ${words(20)}.`],
  ['a second one that begins with code', `${words(20)}. \`weir run\` ${words(20)}.`],
  ['a second one that begins bold or after a quotation', `${words(20)}." **${words(20)}**.`],
  ['two items', `- ${words(20)}\n- ${words(20)}`],
  ['two paragraphs', `${words(20)}\n\n${words(20)}`],
  ['choices of one line', `${words(20)} · ${words(20)}`],
  ['code in a line', `${words(20)} \`${words(20)}\`.`],
  ['the target of a link', `${words(29)} [x](${'a '.repeat(20)}).`],
  ['a block of code', `\`\`\`\n${words(40)}\n\`\`\``],
  ['a table', `| ${words(40)} |`],
  ['a heading', `## ${words(40)}`],
  ['a type', `Returns { ${words(40)} }.`],
])('not %s', (_, page) => {
  expect(longSentences(page)).toEqual([]);
});
