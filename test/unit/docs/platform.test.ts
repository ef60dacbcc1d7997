import { glob, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { citationsIn, headingsCitedIn, headingsOf, rulesOf, unknownCitations } from './clauses.ts';

const rules = rulesOf(await readFile('docs/platform.md', 'utf8'));
/** The samples of these tests cite what does not exist. */
const own = 'test/unit/docs/';
const files = await texts();

async function texts(): Promise<Map<string, string>> {
  const patterns = [
    '{src,test,bench,scripts,examples}/**/*.{ts,mts,js,mjs,css}',
    '{.,docs,examples}/*.md',
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

  test('has every rule that code, tests and docs cite', () => {
    const unknown = [...files].flatMap(([file, text]) =>
      unknownCitations(text, rules).map((cited) => `${file} cites ${cited}`),
    );
    expect(unknown).toEqual([]);
    // The search finds citations at all.
    const cited = new Set([...files.values()].flatMap(citationsIn));
    expect(cited.size).toBeGreaterThan(150);
    expect(citationsIn(files.get('CONTRIBUTING.md') ?? '')).toContain('P7.14');
  });

  test('is the only paper that is cited: nothing outside of the repository', () => {
    const outside =
      /\b(?:house|reference|corpus|anchors) §|\b(?:interfaces|reference|corpus|seed|anchors|house)\.md\b|\(seed, "|§14\.\d|\bissue \d|\b(?:design|spec)\/\w+\.md/;
    const citing = [...files].filter(([, text]) => outside.test(text));
    expect(citing.map(([file]) => file)).toEqual([]);
  });
});

test('docs/architecture.md has every heading that code, tests and docs cite', async () => {
  const headings = headingsOf(await readFile('docs/architecture.md', 'utf8'));
  const cited = [...files].flatMap(([file, text]) =>
    headingsCitedIn(text).map((heading) => ({ file, heading })),
  );
  expect(cited.filter(({ heading }) => !headings.has(heading))).toEqual([]);
  expect(cited.length).toBeGreaterThan(3);
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

  test('knows headings and the bold words that begin an item', () => {
    const page = '## Safety\n\n- **No orphans.** A process\n5. **Fan-out.** After\n\nNot **this**.';
    expect([...headingsOf(page)]).toEqual(['Safety', 'No orphans', 'Fan-out']);
    expect(headingsCitedIn('(architecture.md, "No orphans")')).toEqual(['No orphans']);
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
