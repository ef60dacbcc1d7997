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

const actionMarks = [/\btype\s*:\s*["'`]action["'`]/, /\bdefineAction\s*\(/];

export type ComponentKind = 'source' | 'action';

export interface FoundComponent {
  readonly kind: ComponentKind;
  /** Of the default export. */
  readonly offset: number;
  /** 0-based. */
  readonly line: number;
}

/** What looks like a source or an action. What says that it is an action is one, whatever it does. */
export function findComponent(text: string): FoundComponent | undefined {
  const found = defaultExport.exec(text);
  if (found === null) return undefined;
  const has = (marks: readonly RegExp[]): boolean => marks.some((mark) => mark.test(text));
  const isAction = has(actionMarks) && !has(sourceMarks.slice(0, 1));
  const kind = isAction ? 'action' : has(sourceMarks) ? 'source' : undefined;
  if (kind === undefined) return undefined;
  const line = text.slice(0, found.index).split('\n').length - 1;
  return { kind, offset: found.index, line };
}

/** @returns the 0-based line of the default export of what looks like a source, else undefined */
export function findSource(text: string): number | undefined {
  const found = findComponent(text);
  return found?.kind === 'source' ? found.line : undefined;
}
