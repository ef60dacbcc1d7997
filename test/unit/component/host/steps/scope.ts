import { scopeOf, type Scope } from '../../../../../src/component/host/steps/scope.ts';

/** The scope of a step after `steps`, in an execution that `event` started. */
export function scope(
  steps: Readonly<Record<string, unknown>> = {},
  event: unknown = {},
  env: NodeJS.ProcessEnv = {},
): Scope {
  const texts = Object.entries(steps).map(([name, value]): [string, string] => [
    name,
    JSON.stringify(value),
  ]);
  return scopeOf(texts, { event: JSON.stringify(event), context: '{"id":"c1"}' }, env);
}
