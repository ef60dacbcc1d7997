/** Expressions that read a step which is not available at their place (pure). */
import { expressionsIn } from '../../../protocol/expression-text.ts';
import { stepsIn } from '../../../workflow-file/steps-in.ts';
import { type Path } from '../../../workflow-file/yaml-values.ts';
import { isRecord } from '../../../protocol/record.ts';
import { nearestWord } from './nearest-word.ts';
import type { Report } from './report.ts';

/** `steps.name` that is read whether the step is there or not: with `?.` behind it its author has thought of that. */
const reads = /(?<![\w$.])steps\.([A-Za-z_$][\w$]*)(?![\w$]|\s*\?\.)/g;

/** @param root the values of the file, which is whole */
export function checkReads(root: unknown, report: Report): void {
  const all = new Set([...stepsIn(root)].map(({ namespace }) => namespace));
  for (const { step, path, sees } of stepsIn(root)) {
    for (const [at, text] of textsOf(step, path)) {
      for (const name of namesIn(text)) {
        if (!sees.has(name)) report('warning', at, sentence(name, all, sees));
      }
    }
  }
}

function sentence(name: string, all: ReadonlySet<string>, sees: ReadonlySet<string>): string {
  if (all.has(name)) {
    return `"steps.${name}" is undefined here: that step runs later, or in another branch.`;
  }
  const near = nearestWord(name, [...sees]);
  return `There is no step "${name}" before this one${near === undefined ? '' : `: do you mean "${near}"?`}`;
}

function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { code, closed } of expressionsIn(text)) {
    if (closed) for (const [, name = ''] of code.matchAll(reads)) found.add(name);
  }
  return found;
}

/** The texts of a step, without those of the steps that it holds. */
function* textsOf(value: unknown, at: Path): Generator<readonly [Path, string]> {
  if (typeof value === 'string') yield [at, value];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsOf(item, [...at, index]);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      const holdsSteps = key === 'steps' && Array.isArray(item);
      if (!holdsSteps) yield* textsOf(item, [...at, key]);
    }
  }
}
