/** The texts of the project that people read, each with its place. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { parse } from 'acorn';
import { filesBelow } from './files.mts';
import { longSentences } from './sentences.mts';

export interface Text {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** `…` stands for each value of a template. */
  readonly text: string;
}

/** The texts of the manifest, strings of the code that read as sentences or labels, and the paragraphs of the docs. */
export function allTexts(): Text[] {
  const code = filesBelow('src', '.ts').flatMap((file) => textsOfCode(file, read(file)));
  const docs = pages().flatMap((file) => textsOfMarkdown(file, read(file)));
  return [...textsOfManifest('package.json', read('package.json')), ...code, ...docs];
}

/** Pages of measurements, whose sentences list conditions and figures. No other page may join them. */
const measurements = new Set(['docs/performance.md']);

/** The sentences of all pages that are too long to be read once. */
export function allLongSentences(): (Text & { readonly words: number })[] {
  return pages()
    .filter((file) => !measurements.has(file))
    .flatMap((file) => longSentences(read(file)).map((sentence) => ({ file, ...sentence })));
}

function pages(): string[] {
  return ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', '.md')];
}

const shown =
  /"(?:title|description|markdownDescription|contents|label|displayName|detail|placeholder)": (".*")/;

/** The values of a manifest that VS Code shows. */
export function textsOfManifest(file: string, content: string): Text[] {
  return content.split('\n').flatMap((row, at) => {
    const [, value] = shown.exec(row) ?? [];
    return value === undefined ? [] : [{ file, line: at + 1, text: JSON.parse(value) as string }];
  });
}

/** String literals and templates of several words, of a TypeScript file; regular expressions and types are none. */
export function textsOfCode(file: string, code: string): Text[] {
  const texts: Text[] = [];
  const plain = stripTypeScriptTypes(code);
  visit(parse(plain, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    const text = textOf(node);
    if (text === undefined || !/[A-Za-z].* .*[A-Za-z]/s.test(text)) return;
    texts.push({ file, line: plain.slice(0, node.start).split('\n').length, text });
  });
  return texts;
}

/** Paragraphs, list items and cells of a table, without code. */
export function textsOfMarkdown(file: string, content: string): Text[] {
  let isCode = false;
  return content.split('\n').flatMap((row, at) => {
    if (/^\s*```/.test(row)) isCode = !isCode;
    if (isCode) return [];
    const text = row.replaceAll(/`[^`]*`/g, '…').trim();
    return /[A-Za-z].* .*[A-Za-z]/.test(text) ? [{ file, line: at + 1, text }] : [];
  });
}

interface AnyNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

function textOf(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map(({ value }) => value.cooked).join('…');
}

function visit(value: unknown, found: (node: AnyNode) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found);
  else if (typeof value === 'object' && value !== null && 'type' in value) {
    found(value as AnyNode);
    for (const child of Object.values(value)) visit(child, found);
  }
}

function read(file: string): string {
  return readFileSync(path.join(process.cwd(), file), 'utf8');
}
