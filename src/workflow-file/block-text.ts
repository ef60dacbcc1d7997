/**
 * Changes of YAML as changes of its text: what is not touched keeps every byte. Each function returns undefined
 * where the text is not the plain kind that it knows how to cut (flow collections, aliases, keys on lines of
 * their own); whoever calls replaces more then.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  stringify,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { isMerge, keyText, type Path } from './yaml-values.ts';

/** How new lines are written, as those around them are. */
export interface Style {
  readonly lineEnd: '\n' | '\r\n';
  /** Whether the dashes of a list are indented further than the key above them; git-sync's are not. */
  readonly indentsLists: boolean;
}

export interface Parsed {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly style: Style;
}

export function styleOf(text: string, document: Document.Parsed): Style {
  return {
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    indentsLists: firstListIsIndented(text, document.contents) ?? false,
  };
}

function firstListIsIndented(text: string, root: Node | null): boolean | undefined {
  if (!isMap(root)) return undefined;
  for (const { key, value } of root.items as Pair<Node, Node>[]) {
    if (!isSeq(value) || value.flow === true || !key.range || !value.range) continue;
    return columnOf(text, value.range[0]) > columnOf(text, key.range[0]);
  }
  return undefined;
}

/** The node at a path as it is written; undefined where something in between is an alias or is not there. */
export function nodeAt(root: Node | null, path: Path): Node | null | undefined {
  let node: Node | null | undefined = root;
  for (const part of path) {
    if (isMap(node)) node = pairOf(node, part)?.value;
    else if (isSeq(node) && typeof part === 'number') node = node.items[part] as Node | undefined;
    else return undefined;
    if (node === undefined) return undefined;
  }
  return node;
}

export function pairOf(map: YAMLMap, key: PropertyKey): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => !isMerge(pair) && keyText(pair.key) === key) as
    | Pair<Node, Node | null>
    | undefined;
}

/** The value at the path, written anew. */
export function replaced(parsed: Parsed, path: Path, value: unknown): string | undefined {
  const { text, document } = parsed;
  const last = path.at(-1);
  const node = nodeAt(document.contents, path);
  if (last === undefined || node === undefined) return undefined;
  const inline = inlineText(node, value);
  if (inline !== undefined && node?.range) {
    return spliced(text, node.range[0], node.range[1], inline);
  }
  const parent = nodeAt(document.contents, path.slice(0, -1));
  if (isMap(parent)) {
    const pair = pairOf(parent, last);
    const lines = pair === undefined ? undefined : pairLines(text, pair);
    if (parent.flow === true || pair?.key.range === undefined || lines === undefined)
      return undefined;
    const start = pair.key.range?.[0] ?? 0;
    // The first key of an item follows its dash.
    return spliced(
      text,
      start,
      lines.end,
      pairText(String(last), value, columnOf(text, start), parsed.style),
    );
  }
  if (isSeq(parent) && typeof last === 'number') {
    const lines = itemLines(text, parent.items as Node[], last);
    if (parent.flow === true || lines === undefined) return undefined;
    return spliced(
      text,
      lines.dash,
      lines.end,
      itemText(value, columnOf(text, lines.dash), parsed.style),
    );
  }
  return undefined;
}

/** A key that is not there yet, behind the last one of the mapping at `path`. */
export function withPair(
  parsed: Parsed,
  path: Path,
  key: string,
  value: unknown,
): string | undefined {
  const { text, document, style } = parsed;
  const map = nodeAt(document.contents, path);
  if (!isMap(map) || map.flow === true) return undefined;
  const last = map.items.at(-1) as Pair<Node, Node | null> | undefined;
  const first = map.items[0] as Pair<Node, Node | null> | undefined;
  const lines = last === undefined ? undefined : pairLines(text, last);
  if (lines === undefined || !first?.key.range) return undefined;
  const column = columnOf(text, first.key.range[0]);
  return lineInserted(
    text,
    lines.end,
    ' '.repeat(column) + pairText(key, value, column, style),
    style,
  );
}

/** Inserts an item before the one at `index` of the list at `path`, or at its end. */
export function withItem(
  parsed: Parsed,
  path: Path,
  index: number,
  value: unknown,
): string | undefined {
  const { text, style } = parsed;
  const place = placeForItem(parsed, path, index);
  if (place === undefined) return undefined;
  const lines = ' '.repeat(place.column) + itemText(value, place.column, style);
  return lineInserted(text, place.offset, lines, style);
}

/** As `withItem`, with lines from elsewhere in the text. */
export function withItemLines(
  parsed: Parsed,
  path: Path,
  index: number,
  lines: ItemLines,
): string | undefined {
  const { text, style } = parsed;
  const place = placeForItem(parsed, path, index);
  if (place === undefined) return undefined;
  const moved = place.column - columnOf(text, lines.dash);
  const shifted = text
    .slice(lines.start, lines.end)
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => (line.trim() === '' ? line : shiftedLine(line, moved)))
    .join('\n');
  return lineInserted(text, place.offset, shifted + style.lineEnd, style);
}

function shiftedLine(line: string, by: number): string {
  if (by >= 0) return ' '.repeat(by) + line;
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(indent, -by));
}

function placeForItem(
  { text, document }: Parsed,
  path: Path,
  index: number,
): { readonly offset: number; readonly column: number } | undefined {
  const list = nodeAt(document.contents, path);
  if (!isSeq(list) || list.flow === true) return undefined;
  const items = list.items as Node[];
  const isLast = index >= items.length;
  const lines = itemLines(text, items, isLast ? items.length - 1 : index);
  if (lines === undefined) return undefined;
  return { offset: isLast ? lines.end : lines.start, column: columnOf(text, lines.dash) };
}

/** Without the key or item at the path; not for the last one of its collection. */
export function without(parsed: Parsed, path: Path): string | undefined {
  const { text, document } = parsed;
  const last = path.at(-1);
  const parent = nodeAt(document.contents, path.slice(0, -1));
  if (
    isSeq(parent) &&
    typeof last === 'number' &&
    parent.flow !== true &&
    parent.items.length > 1
  ) {
    const lines = itemLines(text, parent.items as Node[], last);
    return lines && spliced(text, lines.start, lines.end, '');
  }
  if (!isMap(parent) || last === undefined || parent.flow === true || parent.items.length < 2) {
    return undefined;
  }
  const pair = pairOf(parent, last);
  const lines = pair && pairLines(text, pair);
  const key = pair?.key.range?.[0];
  if (lines === undefined || key === undefined) return undefined;
  const startsLine = text.slice(lineStart(text, key), key).trim() === '';
  if (startsLine) return spliced(text, lines.start, lines.end, '');
  // The first key of an item, behind its dash: the next one takes its place.
  const next = (parent.items[1] as Pair<Node>).key.range?.[0];
  if (next === undefined || text.slice(lines.end, next).trim() !== '') return undefined;
  return spliced(text, key, next, '');
}

export interface ItemLines {
  /** With the comments above it. */
  readonly start: number;
  readonly dash: number;
  /** Behind its last line. */
  readonly end: number;
}

export function itemLines(
  text: string,
  items: readonly (Node | null)[],
  index: number,
): ItemLines | undefined {
  const node = items[index];
  if (!node?.range) return undefined;
  const before = /(?:^|[\r\n])( *)-((?: +[&!][^\s,[\]{}]+)*[ \t]*)$/.exec(
    text.slice(0, node.range[0]).slice(-300),
  );
  if (before === null) return undefined;
  const dash = node.range[0] - (before[2]?.length ?? 0) - 1;
  return { start: withComments(text, dash), dash, end: lineEnd(text, endOf(node)) };
}

function pairLines(text: string, { key, value }: Pair<Node, Node | null>) {
  const start = key.range?.[0];
  if (start === undefined) return undefined;
  const colon = text.indexOf(':', key.range?.[1] ?? start) + 1;
  const end = value === null ? colon : Math.max(endOf(value), colon);
  return { start: withComments(text, start), end: lineEnd(text, end) };
}

/** Behind the last character of the node that is more than white space or a comment. */
function endOf(node: Node): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1) as Pair<Node, Node | null> | undefined;
    if (last !== undefined) {
      const key = last.key.range?.[1] ?? 0;
      return Math.max(key, last.value === null ? 0 : endOf(last.value));
    }
  }
  if (isSeq(node) && node.flow !== true) {
    const last = node.items.at(-1) as Node | undefined;
    if (last?.range) return endOf(last);
  }
  return node.range?.[1] ?? 0;
}

/** The start of the line, or of the comments right above it with the same indent. */
function withComments(text: string, offset: number): number {
  let start = lineStart(text, offset);
  const indent = text.slice(start, offset);
  if (indent.trim() !== '') return start;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    const line = text.slice(above, start);
    if (!line.startsWith(`${indent}#`)) return start;
    start = above;
  }
  return start;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the line break that ends the line; a block text ends behind one by itself. */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function spliced(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** @param lines end in a line break */
function lineInserted(text: string, offset: number, lines: string, { lineEnd }: Style): string {
  const startsLine = offset === 0 || text[offset - 1] === '\n';
  if (startsLine) return spliced(text, offset, offset, lines);
  // The last line of a file that does not end in a line break: nor does it then.
  return spliced(text, offset, offset, lineEnd + lines.replace(/\r?\n$/, ''));
}

/** `key: value` over as many lines as it takes, the first without indentation. */
function pairText(key: string, value: unknown, column: number, style: Style): string {
  return indented(yamlOf({ [key]: value }, style), column, style);
}

function itemText(value: unknown, column: number, style: Style): string {
  return indented(yamlOf([value], style), column, style);
}

function yamlOf(value: unknown, { indentsLists }: Style): string {
  return stringify(value, {
    indentSeq: indentsLists,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    // What the platform's reader, of YAML 1.1, takes for a boolean or a time is quoted.
    compat: 'yaml-1.1',
  });
}

function indented(yaml: string, column: number, { lineEnd }: Style): string {
  const [first = '', ...others] = yaml.split('\n');
  const lines = others.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
  return [first, ...lines].join(lineEnd);
}

/** A value that fits into the place of the node without touching its lines. */
function inlineText(node: Node | null, value: unknown): string | undefined {
  if (node === null || isAlias(node) || !node.range || node.range[0] === node.range[1])
    return undefined;
  const simple = typeof value !== 'object' || value === null;
  if (isScalar(node) && simple) {
    if (node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL) return undefined;
    if (typeof value === 'string' && /[\r\n]/.test(value)) return JSON.stringify(value);
    const scalar = new Scalar(value);
    if (typeof value === 'string' && node.type !== undefined && node.type !== 'PLAIN') {
      scalar.type = node.type;
    }
    return stringify(scalar, {
      lineWidth: 0,
      compat: 'yaml-1.1',
      doubleQuotedMinMultiLineLength: Infinity,
    }).trim();
  }
  const isFlow = (isMap(node) || isSeq(node)) && node.flow === true;
  const isFilled = !simple && Object.keys(value).length > 0;
  // An empty collection is written out over lines when it is filled.
  if (!simple && !isFilled) return isFlow ? (Array.isArray(value) ? '[]' : '{}') : undefined;
  if (isFlow && !simple && node.items.length > 0) {
    return stringify(value, {
      collectionStyle: 'flow',
      lineWidth: 0,
      aliasDuplicateObjects: false,
      compat: 'yaml-1.1',
    }).trim();
  }
  return undefined;
}
