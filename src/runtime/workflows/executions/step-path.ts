/** Steps of a definition by their paths, and by what a person calls them (pure). */
import { WeirError } from '../../../protocol/errors.ts';
import type { StepDefinition } from '../../../protocol/workflow.ts';
import { elseBranch, formatBlock, formatName } from '../../../protocol/step-path.ts';

interface PlacedStep {
  readonly step: StepDefinition;
  /** Path of the first item if it is inside of loops. */
  readonly path: string;
}

/** The step that ran at this path. */
export function stepAt(steps: readonly StepDefinition[], path: string): StepDefinition | undefined {
  const first = ofFirstItems(path);
  return placed(steps, '').find((one) => one.path === first)?.step;
}

/**
 * By its path, or by its name where that is enough.
 * @throws WeirError `bad_input` for a step that is not there, or more than once
 */
export function pathOfStep(steps: readonly StepDefinition[], text: string): string {
  const all = placed(steps, '');
  const first = ofFirstItems(text);
  if (all.some(({ path }) => path === first)) return text;
  const named = all.filter(({ step }) => step.namespace === text);
  const [found, another] = named;
  if (found === undefined) {
    const names = all.map(({ path }) => path).join(', ');
    throw new WeirError('bad_input', `There is no step "${text}"; there are ${names}.`);
  }
  if (another !== undefined) {
    const paths = named.map(({ path }) => path).join(', ');
    throw new WeirError('bad_input', `Several steps are called ${text}: give the path, ${paths}.`);
  }
  if (found.path.includes('[')) {
    throw new WeirError(
      'bad_input',
      `${text} is inside of a loop: give the path with the number of the item, such as ${found.path}.`,
    );
  }
  return found.path;
}

function ofFirstItems(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[0]');
}

function placed(steps: readonly StepDefinition[], above: string): PlacedStep[] {
  return steps.flatMap((step): PlacedStep[] => {
    const { namespace } = step;
    const own = { step, path: above + formatName(namespace) };
    if (step.kind === 'action') return [own];
    const inside = step.branches.flatMap(({ name, steps: inner }) => {
      const part = step.control === 'each' ? { namespace, index: 0 } : { namespace, branch: name };
      return placed(inner, above + formatBlock(part));
    });
    const otherwise = placed(
      step.otherwise?.steps ?? [],
      above + formatBlock({ namespace, branch: elseBranch }),
    );
    return [own, ...inside, ...otherwise];
  });
}
