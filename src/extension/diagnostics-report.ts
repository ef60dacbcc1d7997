/** What a person can hand to others about a problem, with what is nobody's business taken out (pure). */

/** What must not be in a report, and what stands in its place. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // The query of a URL, and who logs in with it.
  [/(https?:\/\/[^\s?"'<>)]+)\?[^\s"'<>)]+/g, '$1?…'],
  [/(https?:\/\/)[^\s/@]+@/g, '$1<credentials>@'],
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  // Who knows the id of an endpoint may send to it.
  [/\bhi_[0-9A-Za-z]{4,}/g, 'hi_…'],
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]+/gi, '<credentials>'],
  [/\bapn_[0-9A-Za-z]{4,}/g, 'apn_…'],
  [
    /((?:api[-_]?key|token|secret|password|passwd|authorization|cookie)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    '$1<redacted>',
  ],
];

/** @param home the person's home folder, which holds their name */
export function redact(text: string, home: string): string {
  const redacted = secrets.reduce(
    (rest, [pattern, shown]) => rest.replaceAll(pattern, shown),
    text,
  );
  return home.length < 2 ? redacted : redacted.replaceAll(home, '~');
}

export interface ReportPart {
  readonly title: string;
  readonly text: string;
}

export function report(parts: readonly ReportPart[], home: string): string {
  const sections = parts.map(({ title, text }) => {
    const fence = text.includes('```') ? '~~~~' : '```';
    return `## ${title}\n\n${fence}\n${redact(text.trim(), home)}\n${fence}\n`;
  });
  const head =
    '# Weir diagnostics\n\nNothing of this was sent anywhere. Read it before you hand it on: it was redacted by pattern, and a pattern can miss something.\n';
  return [head, ...sections].join('\n');
}
