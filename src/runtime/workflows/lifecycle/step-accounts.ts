import type { PrepareOptions } from '../../components/prepare.ts';
import { accountIds } from '../../props/configured.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';
import { actionsOf, boundProps } from './resolve-steps.ts';

/** The accounts that the steps of a deployment use, those that they take by themselves included. */
export function accountsOfSteps(
  prepare: Pick<PrepareOptions, 'accountsOf' | 'accountsOfApp'>,
  store: Pick<Store, 'components'>,
  { components, definition }: WorkflowDeploymentRecord,
): string[] {
  const all = actionsOf(definition.steps).flatMap((step) => {
    const saved = store.components.get(components[step.uses] ?? '');
    if (step.disabled || saved === undefined) return [];
    try {
      return accountIds(boundProps(prepare, saved.definition, step.props));
    } catch {
      // It says so when it runs.
      return [];
    }
  });
  return [...new Set(all)];
}
