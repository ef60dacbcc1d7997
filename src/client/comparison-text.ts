/** Executions beside their replays on edited files, as a person reads them (pure). */
import type { Comparison } from './past-executions.ts';

/** Values of up to this length are shown whole. */
const valueLength = 200;

/** "12 of 14 differ". */
export function comparisonSummary(compared: readonly Comparison[]): string {
  const differing = compared.filter(({ same }) => !same).length;
  const all = compared.length === 1 ? '1 execution' : `${compared.length} executions`;
  if (compared.length === 0) return 'Nothing to replay.';
  return differing === 0
    ? `With your edits, ${all} ${compared.length === 1 ? 'ends' : 'end'} the same.`
    : `With your edits, ${differing} of ${all} ${differing === 1 ? 'ends' : 'end'} differently.`;
}

/** An execution in a line, and below it each difference, step by step. */
export function comparisonText({ before, after, same, differences, steps }: Comparison): string {
  const head = `${before.id} → ${after.id}  ${same ? 'the same' : 'differs'}`;
  const own = differences.map((one) => `  ${differenceText(one)}`);
  const ofSteps = steps.flatMap(({ path, pinned, differences: found, ...step }) => {
    const ran =
      step.before === null
        ? ' did not run before'
        : step.after === null
          ? ' does not run any more'
          : '';
    return [
      `  ${path}${pinned === null ? '' : ` (pin ${pinned})`}${ran}`,
      ...(ran === '' ? found.map((one) => `    ${differenceText(one)}`) : []),
    ];
  });
  return [head, ...own, ...ofSteps].join('\n');
}

function differenceText({ path, before, after }: Comparison['differences'][number]): string {
  return `${path}: ${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > valueLength ? `${text.slice(0, valueLength)}…` : text;
}
