import { glob, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { citationsIn, rulesOf, unknownCitations } from './clauses.ts';

const page = await readFile('docs/platform.md', 'utf8');
const rules = rulesOf(page);
const own = 'test/unit/docs/';

async function texts(): Promise<Map<string, string>> {
  const patterns = [
    '{src,test,bench,scripts,examples}/**/*.{ts,mts,js,mjs,css}',
    '{.,docs,examples}/*.md',
    'CONTRIBUTING.md',
    'README.md',
  ];
  const found = new Map<string, string>();
  for await (const file of glob(patterns, { exclude: ['**/node_modules/**'] })) {
    const path = file.replaceAll('\\', '/');
    if (!path.startsWith(own)) found.set(path, await readFile(file, 'utf8'));
  }
  return found;
}

describe('docs/platform.md', () => {
  test('has each number once, in its section, with one of the four tags', () => {
    expect(rules.faults).toEqual([]);
    expect(rules.clauses.length).toBeGreaterThan(300);
  });

  test('has every rule that code, tests and docs cite', async () => {
    const files = await texts();
    const unknown = [...files].flatMap(([file, text]) =>
      unknownCitations(text, rules).map((cited) => `${file} cites ${cited}`),
    );
    expect(unknown).toEqual([]);
    // The search found the citations at all.
    expect(citationsIn(files.get('src/runtime/emit/dedupe.ts') ?? '')).toContain('P11.9');
    expect(citationsIn(files.get('docs/platform.md') ?? '')).toContain('P10.4');
  });

  test('is the only paper that is cited: nothing outside of the repository', async () => {
    const outside =
      /\b(?:house|reference|corpus|anchors) §|\b(?:interfaces|reference|corpus|seed|anchors|house)\.md\b|\(seed, "|§14\.\d/;
    const files = [...(await texts())].filter(([, text]) => outside.test(text));
    expect(files.map(([file]) => file)).toEqual([]);
  });
});

describe('the check', () => {
  const faultsOf = (...lines: string[]) => rulesOf(['## P1 One', ...lines].join('\n')).faults;

  test.for([
    [
      'a number that stands twice',
      ['- **P1.1** `ours` A.', '- **P1.1** `ours` B.'],
      'P1.1 stands twice.',
    ],
    ['a rule without a tag', ['- **P1.1** A rule.'], 'P1.1 has no tag.'],
    ['a tag nobody knows', ['- **P1.1** `mine` A rule.'], 'P1.1 has the unknown tag "mine".'],
    ['a row of a table without a tag', ['| **P1.2** | string |'], 'P1.2 has no tag.'],
    ['a rule in another section', ['- **P2.1** `ours` A rule.'], 'P2.1 stands in P1.'],
    [
      'a rule in the middle of a line',
      ['- See **P1.1** `ours`.'],
      'Not at the start of a rule: - See **P1.1** `ours`.',
    ],
  ] as const)('finds %s', ([, lines, fault]) => {
    expect(faultsOf(...lines)).toEqual([fault]);
  });

  test('finds what is cited and not there', () => {
    const few = rulesOf('## P1 One\n\n- **P1.1** `seed` A rule.');
    expect(few.faults).toEqual([]);
    expect(unknownCitations('// (P1, P1.1, P1.2 to P1.3; P2)', few)).toEqual([
      'P1.2',
      'P1.3',
      'P2',
    ]);
    expect(unknownCitations("test('P1.3 does it', …)", few)).toEqual(['P1.3']);
    expect(unknownCitations("const page = 'P7'; const MP3 = 'P9.1';", few)).toEqual([]);
  });
});
