/** Facts about a step's code that its text shows without being run (pure). */

/** Names that every process has, or that the runtime gives. */
const common = new Set(
  'PATH HOME USER LANG TZ PWD SHELL TMPDIR TEMP TMP NODE_ENV NODE_OPTIONS HOSTNAME LOGNAME'.split(
    ' ',
  ),
);

const reads = [
  /\bprocess\.env\.([A-Za-z_]\w*)/g,
  /\bprocess\.env\[\s*["'`]([A-Za-z_]\w*)["'`]\s*\]/g,
  /\bos\.environ(?:\.get\(|\[)\s*["']([A-Za-z_]\w*)["']/g,
  /\bos\.getenv\(\s*["']([A-Za-z_]\w*)["']/g,
];

/** The names of environment variables that a text reads, and the line of the first read, from 1. */
export function variablesIn(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const pattern of reads) {
    for (const match of text.matchAll(pattern)) {
      const [, name = ''] = match;
      if (common.has(name) || name.startsWith('PIPEDREAM_') || found.has(name)) continue;
      found.set(name, text.slice(0, match.index).split('\n').length);
    }
  }
  return found;
}

/** The app of a prop in the code of a step: `slack: { type: "app", app: "slack" }`. */
export function appOfProp(text: string, prop: string): string | undefined {
  const name = prop.replaceAll(/[^\w$]/g, '');
  const pattern = new RegExp(
    String.raw`(?:^|[\s{,])["']?${name.replaceAll('$', String.raw`\$`)}["']?\s*:\s*\{[^{}]*?\bapp["']?\s*:\s*["'\x60]([\w-]+)`,
  );
  return pattern.exec(text)?.[1];
}
