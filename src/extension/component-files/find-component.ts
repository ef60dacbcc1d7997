/** A cheap look at a text: only the runtime ever evaluates the definition. */

const defaultExport = /^(?:export\s+default\b|module\.exports\s*=)/m;

/** What only a source says. A prop's `type: "app"` must not count, so no type rules anything out. */
const sourcePatterns = [
  /\btype\s*:\s*["'`]source["'`]/,
  /["'`]?\$\.interface\.(?:http|timer)\b/,
  /\bthis\s*\.\s*\$emit\s*\(/,
  /\bdefineSource\s*\(/,
];
const actionPatterns = [/\btype\s*:\s*["'`]action["'`]/, /\bdefineAction\s*\(/];

/** File name extensions a component may have. */
export const componentExtensions = ['.mjs', '.js', '.mts', '.ts'] as const;

/** @param path of a file or a URI */
export function mayBeComponent(path: string): boolean {
  return componentExtensions.some((extension) => path.endsWith(extension));
}

const partExtensions = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'json'] as const;
const partPattern = new RegExp(`\\.(?:${partExtensions.join('|')})$`);

/** Files that may be part of a component: a change of one can change it. */
export const partGlob = `**/*.{${partExtensions.join(',')}}`;

/** @param path of a file or a URI that {@link partGlob} may match */
export function mayBePart(path: string): boolean {
  return partPattern.test(path);
}

export type ComponentKind = 'source' | 'action';

export interface FoundComponent {
  readonly kind: ComponentKind;
  /** Of the default export. */
  readonly offset: number;
  /** 0-based. */
  readonly line: number;
}

/**
 * What looks like a source or an action; undefined for anything else, an app included. A text that
 * says `type: "action"` is an action, whatever else it does.
 */
export function findComponent(text: string): FoundComponent | undefined {
  const found = defaultExport.exec(text);
  if (found === null) return undefined;
  const matches = (patterns: readonly RegExp[]): boolean =>
    patterns.some((pattern) => pattern.test(text));
  const isAction = matches(actionPatterns) && !matches(sourcePatterns.slice(0, 1));
  const kind = isAction ? 'action' : matches(sourcePatterns) ? 'source' : undefined;
  if (kind === undefined) return undefined;
  const line = text.slice(0, found.index).split('\n').length - 1;
  return { kind, offset: found.index, line };
}
