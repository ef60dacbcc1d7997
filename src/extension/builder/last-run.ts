/** The results of steps in a workflow's newest execution (pure). */
import type { StepRun, WholeExecution } from '../../protocol/catalogue.ts';
import { eventOf } from '../../protocol/event-of-trigger.ts';
import type { LastRun, Values } from '../../webview/builder/messages.ts';
import type { StepPlace } from '../../workflow-file/steps-in.ts';
import { durationOfStep, stepInWords } from '../workflows/step-line.ts';

/** By the path of the step, items of loops left out: of several runs the last. */
export function lastRuns(steps: readonly StepRun[], now: number): Record<string, LastRun> {
  return Object.fromEntries(
    steps.map((step) => [
      withoutItems(step.path),
      {
        status: step.status,
        about: [durationOfStep(step), stepInWords(step, now)]
          .filter((part) => part !== undefined)
          .join(' · '),
      },
    ]),
  );
}

export function withoutItems(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}

/** `steps` as expressions of a step read it: of the loops that it is in, the first item. */
export function dataOf(
  { steps, trigger }: WholeExecution,
  { sees, loops }: Pick<StepPlace, 'sees' | 'loops'>,
): Values {
  const data: Record<string, unknown> = { trigger: { event: eventOf(trigger) } };
  for (const { namespace, exports, return_value: value, props } of steps) {
    if (!sees.has(namespace)) continue;
    if (loops.has(namespace)) {
      data[namespace] = firstItem(props);
      continue;
    }
    data[namespace] = { ...exports, ...(value !== undefined && { $return_value: value }) };
  }
  return data;
}

/** The values that the steps of a loop read under its name. @param props of the loop's run */
function firstItem(props: StepRun['props']): Values {
  const list = props?.['on'];
  return Array.isArray(list) && list.length > 0 ? { item: list[0] as unknown, index: 0 } : {};
}
