/** A cheap look at a text: the definition itself is only ever evaluated by the runtime. */

const defaultExport = /^(?:export\s+default\b|module\.exports\s*=)/m;

/** What only a source says. A prop's `type: "app"` must not count, so nothing is ruled out by type. */
const sourceMarks = [
  /\btype\s*:\s*["'`]source["'`]/,
  /["'`]?\$\.interface\.(?:http|timer)\b/,
  /\bthis\s*\.\s*\$emit\s*\(/,
  /\bdefineSource\s*\(/,
];

/** File name extensions a component may have. */
export const componentExtensions = ['.mjs', '.js', '.mts', '.ts'] as const;

/** @returns the 0-based line of the default export of what looks like a source, else undefined */
export function findSource(text: string): number | undefined {
  const found = defaultExport.exec(text);
  if (found === null || !sourceMarks.some((mark) => mark.test(text))) return undefined;
  return text.slice(0, found.index).split('\n').length - 1;
}
