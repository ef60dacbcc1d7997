/** A report about a problem that can be passed on: secrets and personal data are removed (pure). */

/** Texts that must not be in a report, and their replacements. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // The query of a URL, and the credentials in it.
  [/(https?:\/\/[^\s?"'<>)]+)\?[^\s"'<>)]+/g, '$1?…'],
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, '$1<credentials>@'],
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  // Anybody who knows the id of an endpoint can send to it.
  [/\bhi_[0-9A-Za-z]{4,}/g, 'hi_…'],
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]+/gi, '<credentials>'],
  [/\bapn_[0-9A-Za-z]{4,}/g, 'apn_…'],
  [
    /((?:api[-_]?key|token|secret|password|passwd|authorization|cookie)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    '$1<redacted>',
  ],
];

/** @param home the user's home folder, whose path contains their name */
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
    '# Weir diagnostics\n\nNone of this was sent anywhere. Read it before you pass it on: secrets were removed by pattern, and a pattern can miss some.\n';
  return [head, ...sections].join('\n');
}
