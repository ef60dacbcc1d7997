import type { ActionStep } from '../../../protocol/workflow.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import { accountIds } from '../../components/props/configured.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';
import { boundProps } from './bound-props.ts';
import { actionsOf } from './resolve-steps.ts';
import { stepDefinition } from './step-props.ts';

type Parts = Pick<PrepareOptions, 'accountsOf' | 'accountsOfApp'>;
type Components = Pick<Store, 'components'>;
type Step = Pick<ActionStep, 'uses' | 'props' | 'propSet'>;

/** The accounts that the steps of a deployment use, including those that they use without naming them. */
export function accountsOfSteps(
  prepare: Parts,
  store: Components,
  deployment: WorkflowDeploymentRecord,
): string[] {
  const steps = actionsOf(deployment.definition.steps).filter(({ disabled }) => !disabled);
  return [...new Set(steps.flatMap((step) => accountsOfStep(prepare, store, deployment, step)))];
}

/** The accounts of one step. */
export function accountsOfStep(
  prepare: Parts,
  store: Components,
  { components }: Pick<WorkflowDeploymentRecord, 'components'>,
  step: Step,
): string[] {
  const saved = store.components.get(components[step.uses] ?? '');
  if (saved === undefined) return [];
  try {
    return accountIds(boundProps(prepare, stepDefinition(saved.definition, step), step.props));
  } catch {
    // It says so when it runs.
    return [];
  }
}
