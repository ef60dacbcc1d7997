/** Which texts `npm run texts` finds, and what it says of them. */
import { expect, test } from 'vitest';
import { faultsOf } from '../../../scripts/words/rules.mts';
import { textsOfCode, textsOfManifest, textsOfMarkdown } from '../../../scripts/words/texts.mts';

test('strings and templates of several words, with their lines, and no comment, type or pattern', () => {
  const code = [
    '// A comment is not shown.',
    "type Words = 'not a text' | 'nor this';",
    "export const title: string = 'Choose a file';",
    'const id = "one";',
    'throw new Error(`${title} is not a file. Choose',
    'another one.`);',
    'const pattern = /two words/;',
  ].join('\n');
  expect(textsOfCode('a.ts', code)).toEqual([
    { file: 'a.ts', line: 3, text: 'Choose a file' },
    { file: 'a.ts', line: 5, text: '… is not a file. Choose\nanother one.' },
  ]);
});

test('what VS Code shows of a manifest', () => {
  const manifest = '{\n  "title": "Say \\"yes\\"",\n  "command": "weir.yes"\n}';
  expect(textsOfManifest('package.json', manifest)).toEqual([
    { file: 'package.json', line: 2, text: 'Say "yes"' },
  ]);
});

test('the lines of a page without its code', () => {
  expect(
    textsOfMarkdown(
      'a.md',
      'Run `weir in place of` in a shell.\n\n```\nin place of\n```\n- in turn',
    ),
  ).toEqual([
    { file: 'a.md', line: 1, text: 'Run … in a shell.' },
    { file: 'a.md', line: 6, text: '- in turn' },
  ]);
});

test.each([
  ['"x" is no URL.', 'is no'],
  ['These are no numbers.', 'are no'],
  ['Uses the file in place of the folder.', 'in place of'],
  ['Only those that failed', 'those that'],
  ['It keeps them for ever.', 'for ever'],
  ['It is read anew.', 'anew'],
  ['Name the licence.', 'licence'],
  ['It was not recognised.', 'recognised'],
])('%s', (text, found) => {
  expect(faultsOf(text).join()).toContain(`“${found}”`);
});

test.each([
  'There is no source "inbox".',
  'It is no longer running.',
  'A license is recognized.',
  'The clock of this node is no faster.',
])('%s', (text) => {
  expect(faultsOf(text)).toEqual([]);
});
