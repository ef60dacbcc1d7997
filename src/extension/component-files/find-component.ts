/** A cheap look at a text: only the runtime ever evaluates the definition. */
import { skipBlank } from '../problems/skip-code.ts';

const defaultExport = /^(?:export\s+default\b|module\.exports\s*=)/m;

/** Patterns that only a source has. A prop's `type: "app"` must not count, so no type excludes anything. */
const sourcePatterns = [
  /\btype\s*:\s*["'`]source["'`]/,
  /["'`]?\$\.interface\.(?:http|timer)\b/,
  /\bthis\s*\.\s*\$emit\s*\(/,
  /\bdefineSource\s*\(/,
];
const actionPatterns = [/\btype\s*:\s*["'`]action["'`]/, /\bdefineAction\s*\(/];

/** File name extensions a component may have. */
export const componentExtensions = ['.mjs', '.js', '.cjs', '.mts', '.ts'] as const;

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

const definitionStart = /^(?:export\s+default\b|module\.exports\s*=)\s*(?:(define\w*)\s*\()?/m;

/** The place of a file's definition, if it is an object literal. */
export interface DefinitionStart {
  /** Offset of its opening brace. */
  readonly offset: number;
  /** The function it is an argument of, as in `defineSource(`. */
  readonly define: string | undefined;
}

/** The literal after `export default`, whether or not it is an argument of `defineSource(` or the like. */
export function findDefinition(text: string): DefinitionStart | undefined {
  const found = definitionStart.exec(text);
  if (found === null) return undefined;
  const offset = skipBlank(text, found.index + found[0].length);
  return text[offset] === '{' ? { offset, define: found[1] } : undefined;
}

export type ComponentKind = 'source' | 'action';

export interface FoundComponent {
  readonly kind: ComponentKind;
  /** Offset of the default export. */
  readonly offset: number;
  /** 0-based. */
  readonly line: number;
}

/**
 * Finds a source or an action in a text; undefined for anything else, also for an app. A text with `type: "action"` is
 * an action, whatever else it has.
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
