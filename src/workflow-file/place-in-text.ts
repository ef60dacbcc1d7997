/** The place of an offset in a YAML text, complete or not (pure). */
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { parseYaml } from './yaml-values.ts';

export interface TextPlace {
  /** Keys and indexes that lead to the mapping that the key is one of, or to the value. */
  readonly path: readonly (string | number)[];
  /** `key`: a name, or the beginning of one. `value`: the text after the last name of the path. */
  readonly kind: 'key' | 'value';
  /** What is written of it, without quotes, and where that begins and ends. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** A key that has its colon already. */
  readonly isWhole: boolean;
  /** The whole text as values, with what is being written left out. */
  readonly root: unknown;
}

/** Replaces the text being typed while the text is parsed. */
const mark = 'weirIsHere';

/** In front of a key: spaces, and the dashes of items. */
const front = /^\s*(?:-\s+)*/;

/**
 * The text is read with a mark in the place of what is being written, and the mark is looked for: so the rest of the
 * text says where that is.
 * @returns undefined in a comment and in a text of several lines, behind a value, and where the text cannot be read
 */
export function placeInText(text: string, offset: number): TextPlace | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = ((found) => (found === -1 ? text.length : found))(text.indexOf('\n', offset));
  const line = text.slice(lineStart, lineEnd).replace(/\r$/, '');
  const cursor = offset - lineStart;
  const keyAt = front.exec(line)?.[0].length ?? 0;
  if (cursor < keyAt && line.trim() !== '') return undefined;
  const colon = /^(?:"[^"]*"|'[^']*'|[^\s"'#][^#]*?):(?=\s|$)/.exec(line.slice(keyAt));
  const colonAt = colon === null ? -1 : keyAt + colon[0].length - 1;
  if (colonAt === -1 || cursor <= colonAt) {
    const from = Math.min(keyAt, cursor);
    const to = colonAt === -1 ? from + wordLength(line.slice(from)) : colonAt;
    if (cursor > to) return undefined;
    const isWhole = colonAt !== -1;
    const read = marked(text, lineStart + from, lineStart + to, isWhole ? mark : `${mark}:`);
    if (read?.kind !== 'key') return undefined;
    const word = line.slice(from, to).replaceAll(/^["']|["']$/g, '');
    return { ...read, word, start: lineStart + from, end: lineStart + to, isWhole };
  }
  if (cursor === colonAt + 1) return undefined;
  const behind = line.slice(colonAt + 1);
  const from = Math.min(cursor, colonAt + 1 + (behind.length - behind.trimStart().length));
  const value = line
    .slice(from)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  const to = Math.max(cursor, from + value.length);
  if (cursor > from + value.length || /^[|>&*!{[]/.test(value)) return undefined;
  const read = marked(text, lineStart + from, lineStart + to, mark);
  if (read?.kind !== 'value') return undefined;
  const word = value.replaceAll(/^["']|["']$/g, '');
  return { ...read, word, start: lineStart + from, end: lineStart + to, isWhole: false };
}

function wordLength(text: string): number {
  return /^(?:"[^"]*"?|'[^']*'?|[^\s#{}[\],]*)/.exec(text)?.[0].length ?? 0;
}

function marked(
  text: string,
  start: number,
  end: number,
  instead: string,
): Pick<TextPlace, 'path' | 'kind' | 'root'> | undefined {
  const { contents } = parseYaml(text.slice(0, start) + instead + text.slice(end));
  const found = contents === null ? undefined : find(contents, []);
  return found && { ...found, root: plain(contents) };
}

function find(
  node: Node | null | undefined,
  path: TextPlace['path'],
): Pick<TextPlace, 'path' | 'kind'> | undefined {
  if (isScalar(node)) return node.value === mark ? { path, kind: 'value' } : undefined;
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item as Node | null, [...path, index]);
      if (found !== undefined) return found;
    }
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    if (isScalar(key) && key.value === mark) return { path, kind: 'key' };
    const found = find(value as Node | null, [...path, nameOf(key)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Without what aliases repeat: nobody asks for that here. */
function plain(node: unknown): unknown {
  if (isScalar(node)) return node.value === mark ? undefined : node.value;
  if (isSeq(node)) return node.items.map(plain);
  if (!isMap(node)) return undefined;
  return Object.fromEntries(
    node.items
      .map(({ key, value }) => [nameOf(key), plain(value)] as const)
      .filter(([name]) => name !== mark),
  );
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
