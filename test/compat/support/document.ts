/** The tables of docs/compatibility.md are what the tests found. */
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'docs/compatibility.md';

/**
 * What a section of the page says. With `WEIR_WRITE_DOCS=1` it is made to say what was found.
 *
 * @param section between `<!-- section -->` and `<!-- /section -->`
 */
export function documented(section: string, found: string): string {
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`${file} has no section "${section}".`);
  if (process.env['WEIR_WRITE_DOCS'] !== '1') return page.slice(from, to).trim();
  writeFileSync(file, `${page.slice(0, from)}\n\n${found}\n\n${page.slice(to)}`);
  return found;
}

/** A Markdown table as the formatter writes it; numbers are aligned to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => String(row[column]).length)),
  );
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly (string | number)[]): string => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isNumber[column] === true ? String(cell).padStart(width) : String(cell).padEnd(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    isNumber[column] === true ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
