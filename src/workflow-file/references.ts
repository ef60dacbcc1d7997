/** Which steps read which (pure): in their expressions, and in their code. */
import { expressionsIn } from '../protocol/expression-text.ts';
import { isRecord } from '../protocol/record.ts';
import { stepsIn, type StepPlace } from './steps-in.ts';

/** A step that reads another one where that can be read. */
export interface Reference {
  /** Who reads. */
  readonly from: string;
  /** The step that is read. */
  readonly to: string;
}

/** The code of a step; undefined where it has none that can be read. */
export type CodeOf = (uses: string) => string | undefined;

const noCode: CodeOf = () => undefined;

/** Every reference that finds its step. */
export function references(root: unknown, codeOf: CodeOf = noCode): Reference[] {
  return [...stepsIn(root)].flatMap((place) =>
    [...namesRead(place, codeOf)]
      .filter((name) => place.sees.has(name))
      .map((to) => ({ from: place.namespace, to })),
  );
}

/** What found its step before a change, and finds it no more; of a step that is gone itself nothing. */
export function lostReferences(before: unknown, after: unknown, codeOf?: CodeOf): Reference[] {
  const left = new Set([...stepsIn(after)].map(({ namespace }) => namespace));
  const found = new Set(references(after, codeOf).map(keyOf));
  const lost = references(before, codeOf).filter(
    (one) => left.has(one.from) && !found.has(keyOf(one)),
  );
  return [...new Map(lost.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ from, to }: Reference): string {
  return JSON.stringify([from, to]);
}

/** The names of steps that a step reads, whether there are such steps or not. */
function namesRead({ step }: StepPlace, codeOf: CodeOf): Set<string> {
  const names = new Set<string>();
  for (const text of ownTexts(step)) {
    for (const { code, closed } of expressionsIn(text)) {
      if (closed) for (const name of namesInCode(code)) names.add(name);
    }
  }
  const { uses } = step;
  const code = typeof uses === 'string' ? codeOf(uses) : undefined;
  if (code !== undefined) for (const name of namesInCode(code)) names.add(name);
  return names;
}

/** `steps.name`, `steps?.name`, `steps["name"]`, in Python `pd.steps["name"]`, too. */
const reads =
  /(?<![\w$])steps\s*(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.\s*)?\[\s*["'`]([\w$-]+)["'`])/g;

function* namesInCode(code: string): Generator<string> {
  for (const [, name, quoted] of code.matchAll(reads)) yield name ?? quoted ?? '';
}

/** The texts of a step, without those of the steps that it holds. */
function* ownTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* ownTexts(item);
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      const holdsSteps = key === 'steps' && isListOfSteps(item);
      if (!holdsSteps) yield* ownTexts(item);
    }
  }
}

function isListOfSteps(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && 'namespace' in item);
}
