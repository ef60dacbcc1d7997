/**
 * Changes to the text of `workflow.yaml` (pure). Comments, order, quotes and keys that nobody knows stay as they
 * are; a change that changes nothing returns the same text, byte for byte.
 *
 * Each change is made twice: to the values, which is simple and says what has to come out, and to the text. A text
 * that does not say exactly that is thrown away, and more of it is written anew, in the end all of it.
 */
import { isDeepStrictEqual } from 'node:util';
import { isSeq, type Node } from 'yaml';
import { WeirError } from '../protocol/errors.ts';
import { expressionsIn } from '../protocol/expression-text.ts';
import { isRecord } from '../protocol/record.ts';
import {
  itemLines,
  nodeAt,
  replaced,
  styleOf,
  withItem,
  withItemLines,
  without,
  withPair,
  type Parsed,
} from './block-text.ts';
import { valueAt } from './steps-in.ts';
import { recentValues } from './recent-values.ts';
import { parseYaml, setOwn, type Path } from './yaml-values.ts';

/** Sets what is at the path; mappings and list on the way are made, and `undefined` removes. */
export function withValue(text: string, path: Path, value: unknown): string {
  if (value === undefined) return withoutValue(text, path);
  const now = valuesOf(text);
  const before = valueAt(now, path);
  // Key by key: what both have keeps its comments.
  if (isRecord(before) && isRecord(value) && Object.keys(value).length > 0) {
    let changed = text;
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(value, key)) changed = withoutValue(changed, [...path, key]);
    }
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) changed = withValue(changed, [...path, key], item);
    }
    return changed;
  }
  return changedText(text, now, setIn(now, path, value), [...path], (parsed) => {
    if (nodeAt(parsed.document.contents, path) !== undefined) return replaced(parsed, path, value);
    return added(parsed, path, value);
  });
}

/** Removes what is at the path, if it is there. The last item of a list leaves `[]`. */
export function withoutValue(text: string, path: Path): string {
  const now = valuesOf(text);
  if (valueAt(now, path) === undefined) return text;
  return changedText(text, now, removedIn(now, path), path.slice(0, -1), (parsed) =>
    without(parsed, path),
  );
}

/** @param at the new place of the step, such as `['steps', 2]`: before the step that is there now */
export function withStep(text: string, at: Path, step: Readonly<Record<string, unknown>>): string {
  const now = valuesOf(text);
  const { list, index } = placeIn(now, at);
  return changedText(
    text,
    now,
    insertedIn(now, list, index, step),
    list,
    (parsed) => withItem(parsed, list, index, step) ?? added(parsed, list, [step]),
  );
}

export const withoutStep = withoutValue;

/**
 * @param from such as `['steps', 2]` or `['steps', 1, 'branches', 0, 'steps', 0]`
 * @param to in front of what stands there before anything is moved; behind the last one to put it at the end
 */
export function withStepMoved(text: string, from: Path, to: Path): string {
  const now = valuesOf(text);
  const step = valueAt(now, from);
  const { list, index } = placeIn(now, to);
  if (step === undefined) throw noSuch(from);
  if (startsWith(list, from))
    throw new WeirError('bad_input', 'A step cannot be moved into itself.');
  const inserted = insertedIn(now, list, index, step);
  const old = shiftedPath(from, list, index);
  const expected = removedIn(inserted, old);
  return changedText(text, now, expected, [], (parsed) => {
    const home = nodeAt(parsed.document.contents, from.slice(0, -1));
    const lines = isSeq(home)
      ? itemLines(text, home.items as Node[], from.at(-1) as number)
      : undefined;
    const grown =
      (lines && withItemLines(parsed, list, index, lines)) ??
      withFirstItemLines(text, list, from) ??
      withItem(parsed, list, index, step);
    const both = grown ?? changedText(text, now, inserted, list, () => undefined);
    return changedText(both, inserted, expected, old.slice(0, -1), (after) => without(after, old));
  });
}

/** The lines of the step at `from`, once more as the only item of a list that is empty or not there. */
function withFirstItemLines(text: string, list: Path, from: Path): string | undefined {
  const items: unknown = valueAt(valuesOf(text), list) ?? [];
  if (!Array.isArray(items) || items.length > 0) return undefined;
  // Lines can only be inserted beside an item, so there is a temporary one.
  const begun = parsedOf(withStep(text, [...list, 0], { namespace: 'placeholder' }));
  const home = nodeAt(begun.document.contents, from.slice(0, -1));
  if (!isSeq(home)) return undefined;
  const lines = itemLines(begun.text, home.items as Node[], from.at(-1) as number);
  const both = lines && withItemLines(begun, list, 0, lines);
  return both === undefined ? undefined : without(parsedOf(both), [...list, 1]);
}

function parsedOf(text: string): Parsed {
  const document = parseYaml(text);
  return { text, document, style: styleOf(text, document) };
}

/**
 * Gives a step another name: in `namespace`, in `uses` when it names a file in the step's own folder, and in the
 * expressions of the steps that can read it. The folder is the caller's to rename.
 */
export function withStepRenamed(text: string, step: Path, name: string): string {
  const now = valuesOf(text);
  const found = valueAt(now, step);
  if (!isRecord(found) || typeof found['namespace'] !== 'string') throw noSuch(step);
  const old = found['namespace'];
  let changed = withValue(text, [...step, 'namespace'], name);
  const folder = `./${old}/`;
  const { uses } = found;
  if (typeof uses === 'string' && uses.startsWith(folder)) {
    changed = withValue(changed, [...step, 'uses'], `./${name}/${uses.slice(folder.length)}`);
  }
  const list = step.slice(0, -1);
  for (const [path, leaf] of textsIn(valueAt(now, list), list)) {
    const renamed = withNameReplaced(leaf, old, name);
    if (renamed !== leaf) changed = withValue(changed, path, renamed);
  }
  return changed;
}

/** @param props in place of those that it has; undefined removes them */
export function withTriggerProps(
  text: string,
  index: number,
  props: Readonly<Record<string, unknown>> | undefined,
): string {
  if (!isRecord(valueAt(valuesOf(text), ['triggers', index]))) throw noSuch(['triggers', index]);
  return withValue(text, ['triggers', index, 'props'], props);
}

type Try = (parsed: Parsed) => string | undefined;

/**
 * The first text that says what is expected: the change, or the values on the way to it written anew, the
 * nearest first.
 */
function changedText(
  text: string,
  now: unknown,
  expected: unknown,
  path: Path,
  change: Try,
): string {
  if (isDeepStrictEqual(now, expected)) return text;
  const parsed = parsedOf(text);
  const { document } = parsed;
  const says = (candidate: string | undefined): candidate is string => {
    const root = candidate === undefined ? undefined : recentValues(candidate).root;
    return root !== undefined && isDeepStrictEqual(root.value, expected);
  };
  const candidate = change(parsed);
  if (says(candidate)) return candidate;
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const value = valueAt(expected, part);
    const wider = value === undefined ? undefined : replaced(parsed, part, value);
    if (says(wider)) return wider;
  }
  // Something else than the plain kind: aliases, or all of it in braces.
  document.contents = document.createNode(expected) as typeof document.contents;
  const whole = document.toString({ lineWidth: 0, indentSeq: parsed.style.indentsLists });
  if (says(whole)) return whole;
  throw new WeirError('bad_input', 'This change cannot be written into workflow.yaml.');
}

/** A value where there is none: a new key of the last mapping on the way, or the next item of a list. */
function added(parsed: Parsed, path: Path, value: unknown): string | undefined {
  for (let length = path.length - 1; length >= 0; length--) {
    const node = nodeAt(parsed.document.contents, path.slice(0, length));
    if (node === undefined) continue;
    const next = path[length];
    const rest = path.slice(length + 1);
    const nested = rest.length === 0 ? value : setIn(undefined, rest, value);
    if (typeof next === 'number') return withItem(parsed, path.slice(0, length), next, nested);
    return withPair(parsed, path.slice(0, length), String(next), nested);
  }
  return undefined;
}

/** @throws WeirError for a text that is no YAML: there is nothing to change in it. */
function valuesOf(text: string): unknown {
  const { root, problems } = recentValues(text);
  const error = problems.find(({ severity }) => severity === 'error');
  if (root !== undefined && error === undefined) return root.value;
  throw new WeirError(
    'bad_input',
    `workflow.yaml cannot be changed while it cannot be read. ${error?.message ?? ''}`.trim(),
  );
}

function setIn(value: unknown, path: Path, item: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return item;
  if (typeof part === 'number') {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    if (part > list.length) throw noSuch(path);
    list[part] = setIn(list[part], rest, item);
    return list;
  }
  const record: Record<string, unknown> = {};
  if (isRecord(value)) for (const [key, old] of Object.entries(value)) setOwn(record, key, old);
  const key = String(part);
  setOwn(record, key, setIn(Object.hasOwn(record, key) ? record[key] : undefined, rest, item));
  return record;
}

function removedIn(value: unknown, path: Path): unknown {
  const last = path.at(-1);
  const above = path.slice(0, -1);
  const parent = valueAt(value, above);
  if (Array.isArray(parent))
    return setIn(
      value,
      above,
      parent.filter((_, index) => index !== last),
    );
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(parent as object))
    if (key !== last) setOwn(kept, key, item);
  return setIn(value, above, kept);
}

function insertedIn(value: unknown, list: Path, index: number, item: unknown): unknown {
  const items: unknown = valueAt(value, list);
  return setIn(value, list, Array.isArray(items) ? items.toSpliced(index, 0, item) : [item]);
}

function placeIn(value: unknown, at: Path): { readonly list: Path; readonly index: number } {
  const list = at.slice(0, -1);
  const index = at.at(-1);
  const items = valueAt(value, list) ?? [];
  if (typeof index !== 'number' || !Array.isArray(items) || index < 0 || index > items.length) {
    throw noSuch(at);
  }
  return { list, index };
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((part, index) => path[index] === part);
}

/** The path of what stood at `path`, once there is one item more at `index` of `list`. */
function shiftedPath(path: Path, list: Path, index: number): Path {
  const own = path[list.length];
  if (!startsWith(path, list) || typeof own !== 'number' || own < index) return path;
  return path.with(list.length, own + 1);
}

function noSuch(path: Path): WeirError {
  return new WeirError('not_found', `There is no ${path.map(String).join('.')} in workflow.yaml.`);
}

function* textsIn(value: unknown, path: Path): Generator<[Path, string]> {
  if (typeof value === 'string') {
    if (value.includes('{{')) yield [path, value];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...path, key]);
  }
}

/** `steps.old` and `steps["old"]` between braces. */
function withNameReplaced(text: string, old: string, name: string): string {
  const word = old.replaceAll('$', String.raw`\$`);
  const reads = new RegExp(
    String.raw`(?<=(?<![\w$.])steps\s*(?:\??\.\s*|(?:\?\.\s*)?\[\s*["'\x60]))${word}(?![\w$])`,
    'g',
  );
  let renamed = '';
  let at = 0;
  for (const { start, end, closed } of expressionsIn(text)) {
    if (!closed) break;
    renamed += text.slice(at, start) + text.slice(start, end).replaceAll(reads, () => name);
    at = end;
  }
  return renamed + text.slice(at);
}
