import { strategies } from '../../protocol/vocabulary.ts';
import {
  type ComponentKind,
  findComponent,
  findDefinition,
} from '../component-files/find-component.ts';
import { missingMembers } from './missing-members.ts';
import { mistypedKind, nearMisses } from './near-misses.ts';
import { readObject, stringValue, type Member, type ObjectLiteral } from './object-literal.ts';
import type { Range, TextEdit, TextProblem } from './problem.ts';
import { skipBlank, skipTo } from './skip-code.ts';

/**
 * Problems that the platform would refuse or the author would regret, as far as the text shows them without being run:
 * a definition that is assembled at run time is not analyzed.
 * @param fileName without its extension; the name suggested for a component without one
 */
export function findProblems(text: string, fileName: string): TextProblem[] {
  const definition = definitionIn(text);
  if (definition === undefined) return [];
  const component = findComponent(text);
  if (component === undefined) {
    const type = member(definition, 'type');
    const isApp = type !== undefined && stringValue(text, type) === 'app';
    return isApp ? sorted(nearMisses(text, definition, 'app')) : mistypedKind(text, definition);
  }
  return sorted([
    ...missingMembers(text, definition, component, fileName),
    ...nearMisses(text, definition, component.kind),
    ...dedupeProblems(text, definition, component.kind),
    ...secretProblems(text, definition),
    ...emitProblems(text, definition, component.kind),
  ]);
}

function sorted(problems: TextProblem[]): TextProblem[] {
  return problems.sort((a, b) => a.start - b.start);
}

/** The place of each prop's name, for the runtime's warnings about a prop. */
export function propPlaces(text: string): ReadonlyMap<string, Range> {
  const definition = findComponent(text) === undefined ? undefined : definitionIn(text);
  const props = definition === undefined ? undefined : propsOf(text, definition);
  return new Map(
    (props?.members ?? []).flatMap(({ name, start, nameEnd }) =>
      name === undefined ? [] : [[name, { start, end: nameEnd }] as const],
    ),
  );
}

/** The name that people see for a component; undefined if its text has none. */
export function componentName(text: string): string | undefined {
  const definition = definitionIn(text);
  const name = definition === undefined ? undefined : member(definition, 'name');
  return name === undefined ? undefined : stringValue(text, name);
}

function definitionIn(text: string): ObjectLiteral | undefined {
  const found = findDefinition(text);
  return found === undefined ? undefined : readObject(text, found.offset);
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
