/**
 * The YAML of a workflow as plain values that know where they stand (pure).
 *
 * The library's own `toJS` is not used: its values do not say where they came from, aliases make them graphs,
 * and what it refuses it throws. Here whatever was written ends in a tree of limited size, or in a problem.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { Diagnostic } from '../protocol/workflow.ts';

/** In UTF-16 units; the largest file seen in public repositories has 40,000. */
export const mostText = 262_144;
/** Values of one file, those that aliases repeat among them. */
const mostValues = 100_000;
const mostDepth = 100;
/** More are of no use to anybody. */
export const mostProblems = 100;

/** Offsets into the text, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value and the places of everything in it. */
export interface Located {
  readonly span: Span;
  /** Of the key that it is the value of; undefined of items and of the whole. */
  readonly key?: Span;
  /** By key or index. */
  readonly parts: ReadonlyMap<string | number, Located>;
}

export type Path = readonly PropertyKey[];

export interface Problem {
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly span: Span;
}

export interface YamlValues {
  /** Undefined when the text cannot be read at all. */
  readonly root?: { readonly value: unknown; readonly at: Located };
  readonly problems: readonly Problem[];
}

/** Parses as git-sync's files and hand-written ones are: YAML 1.2 with merge keys. Never throws. */
export function parseYaml(text: string): Document.Parsed {
  return parseDocument(text, {
    stringKeys: true,
    // Its own check is quadratic.
    uniqueKeys: false,
    prettyErrors: false,
    // `!!binary` and the like make values that JSON does not have.
    resolveKnownTags: false,
    // With 'silent' a second document would be left out without an error.
    logLevel: 'error',
  });
}

/**
 * @param text at most `mostText` long; a longer one gives a problem
 * @param needs what an empty file is said to need
 */
export function yamlValues(text: string, needs = '"schema" and "name" at least'): YamlValues {
  const all = { start: 0, end: text.length };
  const wrong = (message: string, span: Span = { start: 0, end: 0 }): YamlValues => ({
    problems: [{ severity: 'error', message, span }],
  });
  if (text.length > mostText) {
    return wrong(
      `The file has ${text.length} characters: at most ${mostText} are read. Move what is long into step files.`,
    );
  }
  let document: Document.Parsed;
  try {
    document = parseYaml(text);
  } catch (error) {
    // A stack that is used up; nothing else is known to get here.
    if (!(error instanceof RangeError)) throw error;
    return wrong('The file is nested too deeply to be read.');
  }
  const { errors, warnings, contents } = document;
  const problems = [
    ...problemsOf(errors.slice(0, mostProblems), 'error', text),
    ...problemsOf(warnings.slice(0, mostProblems), 'warning', text),
  ];
  if (errors.length > 0) return { problems };
  if (contents === null) return wrong(`The file is empty: it needs ${needs}.`);
  const reader = new Reader(document, problems);
  try {
    const root = reader.read(contents, undefined, 0);
    return { root, problems };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { problems: [{ severity: 'error', message: error.message, span: error.span ?? all }] };
  }
}

/** The place at a path, or of as much of the path as there is. */
export function placeOf(root: Located, path: Path): Located {
  let at = root;
  for (const part of path) {
    const next = at.parts.get(part as string | number);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** The key's own text, made readable for `__proto__` too. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

class Refused extends Error {
  readonly span: Span | undefined;
  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}

interface Read {
  readonly value: unknown;
  readonly at: Located;
}

const noParts: Located['parts'] = new Map();

class Reader {
  private left = mostValues;
  private readonly within = new Set<Node>();
  private readonly document: Document.Parsed;
  private readonly problems: Problem[];
  private anchors: ReadonlyMap<string, readonly Node[]> | undefined;

  constructor(document: Document.Parsed, problems: Problem[]) {
    this.document = document;
    this.problems = problems;
  }

  read(node: Node | null | undefined, key: Span | undefined, depth: number): Read {
    const span = spanOf(node) ?? { start: key?.end ?? 0, end: key?.end ?? 0 };
    if ((this.left -= 1) < 0) {
      throw new Refused(`The file expands to more than ${mostValues} values: use fewer aliases.`);
    }
    if (depth > mostDepth) {
      throw new Refused(`This is nested more than ${mostDepth} levels deep.`, span);
    }
    const leaf = (value: unknown): Read => ({ value, at: located(span, key, noParts) });
    if (node === null || node === undefined) return leaf(null);
    if (isAlias(node)) return this.aliased(node, span, key, depth);
    if (isScalar(node)) return leaf(this.scalar(node, span));
    if (this.within.has(node)) throw new Refused('This alias stands inside of itself.', span);
    this.within.add(node);
    try {
      const parts = new Map<string | number, Located>();
      let value: unknown;
      if (isMap(node)) value = this.map(node as YAMLMap<unknown, Node>, parts, depth);
      else if (isSeq(node)) {
        value = node.items.map((item, index) => {
          const read = this.read(item as Node, undefined, depth + 1);
          parts.set(index, read.at);
          return read.value;
        });
      }
      return { value, at: located(span, key, parts) };
    } finally {
      this.within.delete(node);
    }
  }

  private map(
    node: YAMLMap<unknown, Node>,
    parts: Map<string | number, Located>,
    depth: number,
  ): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    const merged: Pair<unknown, Node>[] = [];
    for (const pair of node.items) {
      if (isMerge(pair)) merged.push(pair);
      else {
        const keySpan = spanOf(pair.key as Node);
        const name = keyText(pair.key);
        if (parts.has(name)) {
          const message = `"${shortened(name)}" stands twice here: remove one of the two.`;
          this.problem('error', message, keySpan ?? { start: 0, end: 0 });
          continue;
        }
        const { value, at } = this.read(pair.value, keySpan, depth + 1);
        parts.set(name, at);
        setOwn(record, name, value);
      }
    }
    // What is written out beats what is merged, and the first of several merged ones the later ones.
    for (const { key, value } of merged) {
      const source = isAlias(value) ? this.resolved(value) : value;
      for (const one of isSeq(source) ? (source.items as Node[]) : [source as Node]) {
        this.merge(one, spanOf(key as Node), record, parts, depth);
      }
    }
    return record;
  }

  private merge(
    node: Node,
    key: Span | undefined,
    record: Record<string, unknown>,
    parts: Map<string | number, Located>,
    depth: number,
  ): void {
    const { value, at } = this.read(node, key, depth + 1);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.problem('error', '"<<" merges mappings only: give an alias of one.', at.span);
      return;
    }
    for (const [name, item] of Object.entries(value)) {
      const place = at.parts.get(name);
      if (parts.has(name) || place === undefined) continue;
      parts.set(name, place);
      setOwn(record, name, item);
    }
  }

  private aliased(alias: Alias, span: Span, key: Span | undefined, depth: number): Read {
    const target = this.resolved(alias);
    if (this.within.has(target)) throw new Refused('This alias stands inside of itself.', span);
    const { value, at } = this.read(target, key, depth);
    return { value, at: located(span, key, at.parts) };
  }

  /** Looked up in an index: the library's own way walks the whole document for each alias. */
  private resolved(alias: Alias): Node {
    this.anchors ??= anchorsOf(this.document);
    const start = alias.range?.[0] ?? 0;
    const before = this.anchors
      .get(alias.source)
      ?.findLast((node) => (node.range?.[0] ?? 0) < start);
    if (before !== undefined) return before;
    throw new Refused(
      `"*${shortened(alias.source)}" refers to nothing: no "&${shortened(alias.source)}" stands before it.`,
      spanOf(alias),
    );
  }

  private scalar(node: Scalar, span: Span): unknown {
    const { value, source } = node;
    if (typeof value !== 'number') return value ?? null;
    if (!Number.isFinite(value)) {
      const message = `"${source ?? value}" is not a number that JSON has: put it in quotes or write another.`;
      this.problem('error', message, span);
    } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const message = `The digits of ${source ?? value} are too many for a number and would change: put it in quotes.`;
      this.problem('warning', message, span);
    }
    return value;
  }

  private problem(severity: Problem['severity'], message: string, span: Span): void {
    if (this.problems.length < mostProblems) this.problems.push({ severity, message, span });
  }
}

function located(span: Span, key: Span | undefined, parts: Located['parts']): Located {
  return { span, parts, ...(key !== undefined && { key }) };
}

/** Every node that has an anchor, by its name, in the order of the text. */
function anchorsOf(document: Document.Parsed): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  const rest: (Node | null | undefined)[] = [document.contents];
  while (rest.length > 0) {
    const node = rest.pop();
    if (node === null || node === undefined || isAlias(node)) continue;
    if (node.anchor !== undefined) {
      const named = found.get(node.anchor) ?? [];
      named.push(node);
      found.set(node.anchor, named);
    }
    // The last is looked at first, so that the first comes off the stack first.
    if (isMap(node)) {
      for (const { key, value } of node.items.toReversed()) rest.push(value as Node, key as Node);
    } else if (isSeq(node)) rest.push(...(node.items as Node[]).toReversed());
  }
  return found;
}

export function isMerge(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN';
}

export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function spanOf(node: Node | null | undefined): Span | undefined {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : undefined;
}

const sentences: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'YAML has no tabs in front of keys: indent with spaces.',
  MULTIPLE_DOCS: 'The file holds more than one document: remove everything from here on.',
  NON_STRING_KEY: 'A key has to be plain text.',
  RESOURCE_EXHAUSTION: 'The file is nested too deeply to be read.',
};

const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

/** YAML takes an expression without quotes for a mapping, and says several things about it. */
function problemsOf(
  errors: readonly YAMLError[],
  severity: Problem['severity'],
  text: string,
): Problem[] {
  const unquoted = new Set<number>();
  return errors.flatMap((error) => {
    const [at] = error.pos;
    const line = text.lastIndexOf('\n', at - 1) + 1;
    const bare = (text.slice(line).split('\n', 1)[0] ?? '').replaceAll(quoted, '');
    if (!/(?:^\s*|: *|- +|[[{,] *)\{\{/.test(bare)) return problemOf(error, severity);
    if (unquoted.has(line)) return [];
    unquoted.add(line);
    const message = 'An expression has to be in quotes: put quotes around {{…}}.';
    return { ...problemOf(error, severity), message };
  });
}

function problemOf({ code, message, pos }: YAMLError, severity: Problem['severity']): Problem {
  const [start, end] = pos;
  return {
    severity,
    message: sentences[code] ?? `This is not valid YAML: ${firstLine(message)}`,
    span: { start, end: Math.max(end, start) },
  };
}

function firstLine(text: string): string {
  const [first = ''] = text.split('\n');
  return first.length > 200 ? `${first.slice(0, 200)}…` : first;
}

/** What a sentence shows of a text that somebody else wrote. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
