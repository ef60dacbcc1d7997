/** Follows the renames of steps whose names `workflow.yaml` cannot have, in expressions and code (pure). */
import { isRecord } from '../../../protocol/record.ts';

/** By the name in the export, the name here. */
export type RenamedSteps = ReadonlyMap<string, string>;

const wordBefore = String.raw`(?<![\p{ID_Continue}$])`;
const wordAfter = String.raw`(?![\p{ID_Continue}$])`;

/** Replaces `steps.old`, `steps?.old` and `steps["old"]`, in Python `pd.steps["old"]` as well. */
export function renamedInCode(code: string, renamed: RenamedSteps): string {
  let text = code;
  for (const [old, name] of renamed) {
    const word = literal(old);
    const member = String.raw`(${wordBefore}steps\s*\??\.\s*)${word}${wordAfter}`;
    const quoted = String.raw`(${wordBefore}steps\s*(?:\?\.\s*)?\[\s*(["'\x60]))${word}(?=\2\s*\])`;
    text = text
      .replaceAll(new RegExp(member, 'gu'), (_all, before: string) => before + name)
      .replaceAll(new RegExp(quoted, 'gu'), (_all, before: string) => before + name);
  }
  return text;
}

/** Does so in the expressions of every text. */
export function renamedInValues<T>(value: T, renamed: RenamedSteps): T {
  return mapTexts(value, (text) =>
    text.replaceAll(/\{\{[\s\S]*?\}\}/g, (expression) => renamedInCode(expression, renamed)),
  ) as T;
}

/** Whether a name is still in code or in an expression, as in `const { old } = steps`. */
export function mentions(text: string, name: string): boolean {
  return new RegExp(wordBefore + literal(name) + wordAfter, 'u').test(text);
}

/** A pattern that only this text matches. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]),
  );
}

/** Every expression in the texts of a value. */
export function expressionsOf(value: unknown): string[] {
  const found: string[] = [];
  mapTexts(value, (text) => {
    found.push(...(text.match(/\{\{[\s\S]*?\}\}/g) ?? []));
    return text;
  });
  return found;
}
