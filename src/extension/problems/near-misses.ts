import {
  componentKeys,
  type ComponentType,
  componentTypeDocs,
  hookDocs,
  isKnownPropType,
  propKeys,
  propTypeDocs,
} from '../../protocol/vocabulary.ts';
import { nearest } from '../authoring/nearest.ts';
import { type Member, type ObjectLiteral, readObject, stringValue } from './object-literal.ts';
import type { TextProblem } from './problem.ts';

/**
 * Keys and prop types that look like slips of the keyboard. Unknown ones that are near to nothing are the
 * author's own: legal keys, and types whose values are passed on (P1.5, P3.12, P3.33).
 */
export function nearMisses(
  text: string,
  definition: ObjectLiteral,
  kind: ComponentType,
): TextProblem[] {
  const keysOfKind = Object.entries(componentKeys)
    .filter(([, { kinds }]) => kinds.some((one) => one === kind))
    .map(([name]) => name);
  const hooks = kind === 'source' ? membersOf(text, definition, 'hooks') : undefined;
  const props = membersOf(text, definition, kind === 'app' ? 'propDefinitions' : 'props');
  return [
    ...keyProblems(text, definition, keysOfKind, Object.keys(componentKeys), 'of a component'),
    ...(hooks === undefined
      ? []
      : keyProblems(text, hooks, Object.keys(hookDocs), Object.keys(hookDocs), 'among the hooks')),
    ...componentTypeProblems(text, definition),
    ...(props?.members ?? []).flatMap((prop) => propProblems(text, prop)),
  ];
}

function keyProblems(
  text: string,
  literal: ObjectLiteral,
  candidates: readonly string[],
  known: readonly string[],
  where: string,
): TextProblem[] {
  const names = new Set(literal.members.map(({ name }) => name));
  const free = candidates.filter((name) => !names.has(name));
  return literal.members.flatMap(({ name, nameEnd }) => {
    const meant = name === undefined || known.includes(name) ? undefined : nearest(name, free);
    if (name === undefined || meant === undefined) return [];
    const start = text.slice(0, nameEnd).lastIndexOf(name);
    const problem: TextProblem = {
      code: 'unknown-key',
      severity: 'warning',
      start,
      end: start + name.length,
      message: `"${name}" is not a key ${where} and has no effect; "${meant}" may be meant.`,
      fixes: [
        {
          title: `Change to "${meant}"`,
          edit: { start, end: start + name.length, snippet: meant },
        },
      ],
    };
    return [problem];
  });
}

/** Any other type of a component is refused (P1.20). */
function componentTypeProblems(text: string, definition: ObjectLiteral): TextProblem[] {
  const member = definition.members.find(({ name }) => name === 'type');
  const type = member && stringValue(text, member);
  const types = Object.keys(componentTypeDocs);
  if (member === undefined || type === undefined || types.includes(type)) return [];
  const meant = nearest(type, types);
  const message = `type: "${type}" is none of ${types.join(', ')}.`;
  return [typeProblem(member, 'error', message, meant === undefined ? types : [meant])];
}

/**
 * A definition that is no component only because of a slip in its `type`.
 * @param definition one that nothing else tells to be a component
 */
export function mistypedKind(text: string, definition: ObjectLiteral): TextProblem[] {
  const isLikeOne = ['props', 'run', 'key'].some((key) =>
    definition.members.some(({ name }) => name === key),
  );
  const problems = isLikeOne ? componentTypeProblems(text, definition) : [];
  return problems.filter(({ fixes }) => fixes.length === 1);
}

function propProblems(text: string, prop: Member): TextProblem[] {
  const literal = readObject(text, prop.valueStart);
  if (literal === undefined) return propTypeProblems(text, prop);
  const keys = Object.keys(propKeys);
  const type = literal.members.find(({ name }) => name === 'type');
  return [
    ...keyProblems(text, literal, keys, keys, 'of a prop'),
    ...(type === undefined ? [] : propTypeProblems(text, type)),
  ];
}

function propTypeProblems(text: string, member: Member): TextProblem[] {
  const type = stringValue(text, member) ?? dollarType(text, member);
  const meant =
    type === undefined || isKnownPropType(type)
      ? undefined
      : nearest(type, Object.keys(propTypeDocs));
  if (meant === undefined) return [];
  const message = `"${type}" is not a known prop type; "${meant}" may be meant.`;
  return [typeProblem(member, 'warning', message, [meant])];
}

function typeProblem(
  { valueStart: start, end }: Member,
  severity: TextProblem['severity'],
  message: string,
  types: readonly string[],
): TextProblem {
  const fixes = types.map((type) => {
    const snippet = JSON.stringify(type).replaceAll('$', String.raw`\$`);
    return { title: `Change to "${type}"`, edit: { start, end, snippet } };
  });
  return { code: 'unknown-type', severity, start, end, message, fixes };
}

/** `stringValue` takes no dollar, which a template's text could have. */
function dollarType(text: string, { valueStart, end }: Member): string | undefined {
  return /^(["'])(\$\.[\w.[\]]*)\1$/.exec(text.slice(valueStart, end))?.[2];
}

function membersOf(
  text: string,
  definition: ObjectLiteral,
  key: string,
): ObjectLiteral | undefined {
  const member = definition.members.find(({ name }) => name === key);
  return member === undefined ? undefined : readObject(text, member.valueStart);
}
