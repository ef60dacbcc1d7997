/** Steps as a file has them, and a walk that is led through them. */
import type {
  ActionStep,
  BlockStep,
  StepDefinition,
} from '../../../../../src/protocol/workflow.ts';
import type { StepResult, Walk } from '../../../../../src/runtime/workflows/walk/walk.ts';

export function action(namespace: string, more: Partial<ActionStep> = {}): ActionStep {
  const uses = `./${namespace}/entry.ts`;
  const rest = { disabled: false, line: 1, props: {}, onError: 'stop', ...more } as const;
  return { kind: 'action', namespace, uses, ...rest };
}

/** @param branches steps by the name of their branch */
export function block(
  control: BlockStep['control'],
  namespace: string,
  branches: Readonly<Record<string, readonly StepDefinition[]>>,
  more: Partial<BlockStep> = {},
): BlockStep {
  const always = { is: 'always' } as const;
  return {
    kind: 'block',
    control,
    namespace,
    branches: Object.entries(branches).map(([name, steps]) => ({ name, when: always, steps })),
    disabled: false,
    line: 1,
    concurrency: 1,
    ...more,
  };
}

export function each(
  namespace: string,
  steps: readonly StepDefinition[],
  more: Partial<BlockStep> = {},
): BlockStep {
  return block('each', namespace, { item: steps }, more);
}

export function returns(value: unknown): StepResult {
  return { exports: '{}', returnValue: JSON.stringify(value) };
}

export const failure: StepResult = { failed: { continue: false } };

/** The paths that may start now. */
export function ready(walk: Walk): string[] {
  return walk.ready().map(({ path }) => path);
}

/** They start, all that are ready. */
export function takeAll(walk: Walk): void {
  for (const task of walk.ready()) walk.take(task);
}

/** What a step sees, parsed. */
export function seen(walk: Walk, path: string): Record<string, unknown> {
  const entries = [...walk.scope(path)].map(([name, text]) => [name, JSON.parse(text) as unknown]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
