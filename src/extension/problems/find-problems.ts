import { findComponent, type ComponentKind } from '../component-files/find-component.ts';
import { readObject, stringValue, type Member, type ObjectLiteral } from './object-literal.ts';
import { skipBlank, skipTo } from './skip-code.ts';

/** Offsets in the text, the end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface TextEdit extends Range {
  /** With `${1:placeholder}` where something is left to type. */
  readonly snippet: string;
}

export interface Fix {
  readonly title: string;
  readonly edit: TextEdit;
}

export interface TextProblem extends Range {
  /** The name of the rule, to search for. */
  readonly code: 'no-name' | 'unknown-dedupe' | 'secret-not-string' | 'emit-without-id';
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly fixes: readonly Fix[];
}

const strategies = ['unique', 'greatest', 'last'];

/**
 * What the platform would refuse or the author would regret, as far as the text shows it without being
 * run: a definition that is assembled at run time is not analysed.
 * @param fileName without its extension; the name suggested for a component without one
 */
export function findProblems(text: string, fileName: string): TextProblem[] {
  const component = findComponent(text);
  if (component === undefined) return [];
  const definition = definitionIn(text, component.offset);
  if (definition === undefined) return [];
  return [
    ...nameProblems(text, definition, component.offset, fileName),
    ...dedupeProblems(text, definition, component.kind),
    ...secretProblems(text, definition),
    ...emitProblems(text, definition, component.kind),
  ].sort((a, b) => a.start - b.start);
}

/** Where each prop's name is, for warnings of the runtime about a prop. */
export function propPlaces(text: string): ReadonlyMap<string, Range> {
  const component = findComponent(text);
  const definition = component === undefined ? undefined : definitionIn(text, component.offset);
  const props = definition === undefined ? undefined : propsOf(text, definition);
  return new Map(
    (props?.members ?? []).flatMap(({ name, start, nameEnd }) =>
      name === undefined ? [] : [[name, { start, end: nameEnd }] as const],
    ),
  );
}

/** What people see a component as; undefined where its text does not say. */
export function componentName(text: string): string | undefined {
  const component = findComponent(text);
  const definition = component === undefined ? undefined : definitionIn(text, component.offset);
  const name = definition === undefined ? undefined : member(definition, 'name');
  return name === undefined ? undefined : stringValue(text, name);
}

/** The literal after `export default`, whether or not it is an argument of `defineSource(` or the like. */
function definitionIn(text: string, offset: number): ObjectLiteral | undefined {
  const before = /(?:export\s+default|module\.exports\s*=)\s*(?:define\w*\s*\(\s*)?/y;
  before.lastIndex = offset;
  return before.exec(text) === null
    ? undefined
    : readObject(text, skipBlank(text, before.lastIndex));
}

function nameProblems(
  text: string,
  definition: ObjectLiteral,
  offset: number,
  fileName: string,
): TextProblem[] {
  if (definition.hasSpread || member(definition, 'name') !== undefined) return [];
  const snippet = `\n  name: ${JSON.stringify(titleCase(fileName))},`;
  const at = definition.start + 1;
  return [
    {
      code: 'no-name',
      severity: 'warning',
      start: offset,
      end: text.slice(0, definition.start).trimEnd().length,
      message: 'The component has no name; its file’s name is used, and the platform refuses it.',
      fixes: [{ title: 'Give it a name', edit: { start: at, end: at, snippet } }],
    },
  ];
}

function dedupeProblems(
  text: string,
  definition: ObjectLiteral,
  kind: ComponentKind,
): TextProblem[] {
  const dedupe = member(definition, 'dedupe');
  const strategy = dedupe === undefined ? undefined : stringValue(text, dedupe);
  if (dedupe === undefined || strategy === undefined || kind !== 'source') return [];
  if (strategies.includes(strategy)) return [];
  const range = { start: dedupe.valueStart, end: dedupe.end };
  return [
    {
      code: 'unknown-dedupe',
      severity: 'error',
      ...range,
      message: `dedupe: "${strategy}" is none of ${strategies.join(', ')}.`,
      fixes: strategies.map((one) => ({
        title: `Use "${one}"`,
        edit: { ...range, snippet: JSON.stringify(one) },
      })),
    },
  ];
}

function secretProblems(text: string, definition: ObjectLiteral): TextProblem[] {
  const props = propsOf(text, definition)?.members ?? [];
  return props.flatMap((prop) => {
    const shape = readObject(text, prop.valueStart);
    const secret = shape === undefined ? undefined : member(shape, 'secret');
    const type = shape === undefined ? undefined : member(shape, 'type');
    if (secret === undefined || type === undefined) return [];
    const typeName = stringValue(text, type);
    if (text.slice(secret.valueStart, secret.end) !== 'true' || typeName === undefined) return [];
    if (typeName === 'string' || typeName === 'string[]') return [];
    const range = { start: secret.start, end: secret.end };
    const problem: TextProblem = {
      code: 'secret-not-string',
      severity: 'error',
      ...range,
      message: `${prop.name ?? 'This prop'}: only a string can be secret, not "${typeName}".`,
      fixes: [
        {
          title: 'Make it a string',
          edit: { start: type.valueStart, end: type.end, snippet: '"string"' },
        },
        { title: 'Remove secret', edit: { ...withComma(text, range), snippet: '' } },
      ],
    };
    return [problem];
  });
}

function emitProblems(text: string, definition: ObjectLiteral, kind: ComponentKind): TextProblem[] {
  const dedupe = member(definition, 'dedupe');
  const strategy = dedupe === undefined ? undefined : stringValue(text, dedupe);
  if (kind !== 'source' || strategy === undefined || !strategies.includes(strategy)) return [];
  const problems: TextProblem[] = [];
  for (const call of text.matchAll(/\bthis\s*\.\s*\$emit\s*\(/g)) {
    const start = call.index;
    if (start < definition.start || start > definition.end || isInComment(text, start)) continue;
    const fix = missingId(text, start + call[0].length);
    if (fix === undefined) continue;
    problems.push({
      code: 'emit-without-id',
      severity: 'warning',
      start,
      end: start + call[0].length - 1,
      message: `With dedupe: "${strategy}" an event without an id is dropped.`,
      fixes: [{ title: 'Give the event an id', edit: fix }],
    });
  }
  return problems;
}

/**
 * The edit that adds an id to an emit.
 * @param args offset after the opening parenthesis
 * @returns undefined where an id is given, or may be
 */
function missingId(text: string, args: number): TextEdit | undefined {
  const end = skipTo(text, args, ',)');
  if (end === undefined) return undefined;
  const second = skipBlank(text, end + 1);
  if (text[end] === ')' || text[second] === ')') {
    return { start: end, end, snippet: ', { id: ${1:event.id} }' };
  }
  const meta = readObject(text, second);
  if (meta === undefined || meta.hasSpread || member(meta, 'id') !== undefined) return undefined;
  return { start: meta.start + 1, end: meta.start + 1, snippet: ' id: ${1:event.id},' };
}

function propsOf(text: string, definition: ObjectLiteral): ObjectLiteral | undefined {
  const props = member(definition, 'props');
  return props === undefined ? undefined : readObject(text, props.valueStart);
}

function member(literal: ObjectLiteral, name: string): Member | undefined {
  return literal.members.find((one) => one.name === name);
}

function isInComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /\/\/|^\s*\*/.test(line);
}

/** Including the comma and the white space after it. */
function withComma(text: string, { start, end }: Range): Range {
  const after = /\s*,?[ \t]*/y;
  after.lastIndex = end;
  after.exec(text);
  return { start, end: after.lastIndex };
}

function titleCase(fileName: string): string {
  const words = fileName.replaceAll(/[-_.]+/g, ' ').trim();
  return words === '' ? 'Component' : words.charAt(0).toUpperCase() + words.slice(1);
}
