/** What is different in a test: which of its steps run, and that none waits (pure; P25.90 to P25.92). */
import type { StepRequests } from '../../../protocol/host-steps.ts';
import { own } from '../../../protocol/own.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { Pin } from '../../store/history/executions.ts';
import type { Task, Walk } from '../walk/walk.ts';
import type { Execution } from './execution.ts';

type Tested = Pick<Execution, 'test'>;

/** What may start: of a test of one step or block only that. */
export function readyOf({ test }: Tested, walk: Walk): readonly Task[] {
  const only = test?.only;
  if (only === undefined) return walk.ready();
  const isInside = (path: string): boolean =>
    path.startsWith(`${only}.`) || path.startsWith(`${only}[`);
  return walk.ready().filter(({ path }) => path === only || isInside(path));
}

/** What stands in for a step. */
export function pinFor({ test }: Tested, { namespace }: Pick<Task, 'namespace'>): Pin | undefined {
  return own(test?.pins, namespace);
}

/** A step of a test that asked for a wait goes on at once, and its log says so. */
export function withoutWait(
  { pause, ...requests }: StepRequests,
  outcome: Outcome,
  at: number,
): { readonly requests: StepRequests; readonly outcome: Outcome } {
  if (pause === undefined) return { requests, outcome };
  const text = `A test does not wait: $.flow.${pause.kind} had no effect.`;
  return {
    requests,
    outcome: { ...outcome, logs: [...outcome.logs, { at, level: 'info', text }] },
  };
}
