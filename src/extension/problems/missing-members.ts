import type { ComponentKind } from '../component-files/find-component.ts';
import type { ObjectLiteral } from './object-literal.ts';
import type { TextProblem } from './problem.ts';
import { skipBlank } from './skip-code.ts';

/**
 * Members that a definition lacks: a name, an action's `run` (P1.20), and the other one of `key` and `version`,
 * because publishing needs both (P1.19). A definition with a spread may have them from there.
 * @param offset of the default export
 * @param fileName without its extension; the name that is suggested
 */
export function missingMembers(
  text: string,
  definition: ObjectLiteral,
  { kind, offset }: { readonly kind: ComponentKind; readonly offset: number },
  fileName: string,
): TextProblem[] {
  if (definition.hasSpread) return [];
  const has = (name: string): boolean => definition.members.some((one) => one.name === name);
  const place = { start: offset, end: text.slice(0, definition.start).trimEnd().length };
  const problems: TextProblem[] = [];
  const add = (
    problem: Pick<TextProblem, 'code' | 'severity' | 'message'>,
    title: string,
    snippet: string,
    at: number,
  ): void => {
    const edit = { start: at, end: at, snippet };
    problems.push({ ...problem, ...place, fixes: [{ title, edit }] });
  };
  const start = definition.start + 1;
  if (!has('name')) {
    const message =
      'The component has no name; its file’s name is used, and the platform refuses it.';
    const snippet = `\n  name: ${JSON.stringify(titleCase(fileName))},`;
    add({ code: 'no-name', severity: 'warning', message }, 'Give it a name', snippet, start);
  }
  if (has('key') && !has('version')) {
    const message = 'The component has a key and no version; publishing needs both.';
    const snippet = '\n  version: "${1:0.0.1}",';
    const problem = { code: 'no-version', severity: 'information', message } as const;
    add(problem, 'Give it a version', snippet, afterMember(text, definition, 'key'));
  }
  if (has('version') && !has('key')) {
    const message = 'The component has a version and no key; publishing needs both.';
    const snippet = `\n  key: "\${1:${kebabCase(fileName)}}",`;
    add({ code: 'no-key', severity: 'information', message }, 'Give it a key', snippet, start);
  }
  if (kind === 'action' && !has('run')) {
    const message = 'The action has no run(), so it cannot be deployed.';
    const snippet = '\n  async run({ steps, \\$ }) {\n    $0\n  },';
    const problem = { code: 'no-run', severity: 'error', message } as const;
    const last = definition.members.at(-1);
    const lacksComma = last !== undefined && text[skipBlank(text, last.end)] !== ',';
    const end = text.slice(0, definition.end - 1).trimEnd().length;
    const run = lacksComma ? `,${snippet}` : snippet;
    add(problem, 'Add run()', run, lacksComma ? last.end : end);
  }
  return problems;
}

/** After a member and its comma. */
function afterMember(text: string, definition: ObjectLiteral, name: string): number {
  const end = definition.members.find((one) => one.name === name)?.end ?? definition.start + 1;
  return text[end] === ',' ? end + 1 : definition.start + 1;
}

function wordsOf(fileName: string): string {
  return fileName.replaceAll(/[-_.]+/g, ' ').trim();
}

function titleCase(fileName: string): string {
  const words = wordsOf(fileName);
  return words === '' ? 'Component' : words.charAt(0).toUpperCase() + words.slice(1);
}

function kebabCase(fileName: string): string {
  const words = wordsOf(fileName).toLowerCase().replaceAll(' ', '-');
  return words === '' ? 'component' : words;
}
