/** The rules of docs/platform.md and the headings of docs/architecture.md, and who cites them. */

export interface Rules {
  /** `P3` of each `## P3 …`. */
  readonly sections: ReadonlySet<string>;
  /** `P3.4` of each rule, as often as it stands there. */
  readonly clauses: readonly string[];
  /** One sentence each: what is wrong with the page itself. */
  readonly faults: readonly string[];
}

const tags = ['seed', 'documented', 'observed', 'ours'];

/** A rule begins a list item or a table row, with its number and its tag: "- **P3.4** `ours` …". */
const ruleStart = /^(?:- |\| )\*\*(P\d+\.\d+)\*\*(?: `([^`]*)`)?/;

export function rulesOf(page: string): Rules {
  const sections = new Set<string>();
  const clauses: string[] = [];
  const faults: string[] = [];
  let section = '';
  for (const line of page.split('\n')) {
    const heading = /^## (P\d+) /.exec(line)?.[1];
    if (heading !== undefined) {
      if (sections.has(heading)) faults.push(`The section ${heading} stands twice.`);
      sections.add(heading);
      section = heading;
    }
    if (section === '') continue;
    const rule = ruleStart.exec(line);
    if (rule === null) {
      if (/\*\*P\d+\.\d+\*\*/.test(line)) faults.push(`Not at the start of a rule: ${line}`);
      continue;
    }
    const [, clause = '', tag] = rule;
    if (clauses.includes(clause)) faults.push(`${clause} stands twice.`);
    if (!clause.startsWith(`${section}.`)) faults.push(`${clause} stands in ${section}.`);
    if (tag === undefined) faults.push(`${clause} has no tag.`);
    else if (!tags.includes(tag)) faults.push(`${clause} has the unknown tag "${tag}".`);
    clauses.push(clause);
  }
  return { sections, clauses, faults };
}

/** `P3.4` and `P3` wherever they are written. What is quoted alone, as 'P3' is, is data of a test. */
export function citationsIn(text: string): string[] {
  const written = text.replaceAll(/(['"])P\d{1,2}(?:\.\d+)?\1/g, '');
  return written.match(/(?<![\w*#.-])P\d{1,2}(?:\.\d+)?\b/g) ?? [];
}

/** What is cited and does not exist. */
export function unknownCitations(text: string, { sections, clauses }: Rules): string[] {
  return citationsIn(text).filter((cited) => !sections.has(cited) && !clauses.includes(cited));
}

/** What can be cited of docs/architecture.md: its headings, and the words in bold that begin an item. */
export function headingsOf(page: string): ReadonlySet<string> {
  const found = page.matchAll(/^#{2,3} (.+)$|^(?:- |\d\. )\*\*(.+?)[.,:]?\*\*/gm);
  return new Set([...found].map(([, heading, bold = '']) => heading ?? bold));
}

/** `Lifetime` of: architecture.md, "Lifetime". */
export function headingsCitedIn(text: string): string[] {
  return [...text.matchAll(/architecture\.md, "([^"]+)"/g)].map(([, cited = '']) => cited);
}
