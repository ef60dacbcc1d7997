/** What the newest execution of a workflow says of its steps (pure). */
import type { StepRun, WholeExecution } from '../../protocol/catalogue.ts';
import { eventOf } from '../../protocol/event-of-trigger.ts';
import type { LastRun, Values } from '../../webview/builder/messages.ts';
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

/** `steps` as expressions of a step read it. @param sees the names that it reads */
export function dataOf({ steps, trigger }: WholeExecution, sees: ReadonlySet<string>): Values {
  const data: Record<string, unknown> = { trigger: { event: eventOf(trigger) } };
  for (const { namespace, exports, return_value: value } of steps) {
    if (!sees.has(namespace)) continue;
    data[namespace] = { ...exports, ...(value !== undefined && { $return_value: value }) };
  }
  return data;
}
