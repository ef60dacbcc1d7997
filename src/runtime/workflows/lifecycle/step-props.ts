/** The props of a step: those of its component, and those that `additionalProps` adds to its values (P6.13). */
import type { ComponentDefinition, ConfigurableProp } from '../../../protocol/definition.ts';
import { type Configured, reloadKey, withDefaults } from '../../../protocol/effective-props.ts';
import { own } from '../../../protocol/own.ts';
import type { ActionStep, StepDefinition } from '../../../protocol/workflow.ts';
import { computeProps } from '../../components/additional-props.ts';
import { loadDeployment, type TaskContext } from '../../components/load.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import { boundProps } from './bound-props.ts';

export type PropSet = readonly ConfigurableProp[];

/** The definition that a step runs with. */
export function stepDefinition(
  definition: ComponentDefinition,
  { propSet }: Pick<ActionStep, 'propSet'>,
): ComponentDefinition {
  return propSet === undefined ? definition : { ...definition, props: propSet };
}

/** A step with other values; it keeps its set of props where that does not depend on what has changed. */
export function withProps(step: ActionStep, props: Configured): ActionStep {
  const { propSet, ...rest } = step;
  const isSame =
    propSet !== undefined && reloadKey(propSet, step.props) === reloadKey(propSet, props);
  return { ...rest, props, ...(isSame && { propSet }) };
}

/** The steps, blocks looked into, with the sets of props that were computed for them. */
export function withPropSets(
  steps: readonly StepDefinition[],
  sets: ReadonlyMap<ActionStep, PropSet>,
): readonly StepDefinition[] {
  if (sets.size === 0) return steps;
  return steps.map((step) => {
    if (step.kind === 'action') {
      const propSet = sets.get(step);
      return propSet === undefined ? step : { ...step, propSet };
    }
    const { branches, otherwise } = step;
    return {
      ...step,
      branches: branches.map((one) => ({ ...one, steps: withPropSets(one.steps, sets) })),
      ...(otherwise !== undefined && {
        otherwise: { ...otherwise, steps: withPropSets(otherwise.steps, sets) },
      }),
    };
  });
}

/**
 * The final set of props of a step, as a deploy computes it once for all its runs.
 * @param hash of the component's deployment
 * @returns undefined when it depends on values that only a run knows, or `additionalProps` failed
 * @throws WeirError `bad_input` where an account has to be chosen, `cancelled`
 */
export async function computeStepProps(
  prepare: PrepareOptions,
  step: ActionStep,
  { hash, definition }: { readonly hash: string; readonly definition: ComponentDefinition },
  context: TaskContext,
  failed: (message: string) => void,
): Promise<PropSet | undefined> {
  const bound = boundProps(prepare, definition, step.props);
  if (dependsOnRun(definition.props, withDefaults(definition, bound))) return undefined;
  const deployment = await prepare.components.get(hash);
  if (deployment === undefined) return undefined;
  await prepare.refreshExpiring(bound);
  context.progress(`Computing the additional props of ${step.namespace}`);
  const { limits, components, accountsOf } = prepare;
  const { signal } = context;
  const { host } = await loadDeployment(components, deployment, { sourceId: null, limits, signal });
  try {
    const configurationOf = (props: Configured) => ({
      props,
      accounts: accountsOf(props),
      endpoints: {},
      db: {},
    });
    const computed = await computeProps(host, definition, bound, configurationOf, signal);
    signal.throwIfAborted();
    const { error, definition: full } = computed;
    if (error === undefined) {
      return dependsOnRun(full.props, withDefaults(full, bound)) ? undefined : full.props;
    }
    failed(error.message);
    return undefined;
  } finally {
    void host.end(0);
  }
}

function dependsOnRun(props: PropSet, values: Configured): boolean {
  return props.some(
    ({ name, reloadProps }) => reloadProps === true && hasExpression(own(values, name)),
  );
}

/** Whether a value is known only when the step runs. */
export function hasExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasExpression);
}
