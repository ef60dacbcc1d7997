/** Takes an execution up from the store: its trigger, its deployment, and where its journal ends. */
import { WeirError } from '../../../protocol/errors.ts';
import { append } from '../../processes/outcome.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';
import type { Execution } from './execution.ts';
import { hitFor, restore } from './journal.ts';

/**
 * Resolves when its walk is known; it has none where it was a test that a restart has cut off. Rejects when its trigger or deployment is gone.
 * @param codeOf makes the code of a deployment ready, if it is not
 * @throws WeirError('not_found') of a workflow that was deleted
 */
export async function loadExecution(
  execution: Execution,
  store: Pick<Store, 'executions' | 'invocations' | 'workflows'>,
  codeOf: (deployment: WorkflowDeploymentRecord) => Promise<void> | undefined,
): Promise<void> {
  const { n, hasBegun } = execution;
  if (execution.isParked) {
    const trigger = await store.invocations.trigger(n);
    if (trigger === undefined) throw new Error('Its trigger is gone from the store.');
    execution.trigger = trigger;
    execution.isParked = false;
  }
  const state = hasBegun ? await store.executions.state(n) : undefined;
  execution.test = state?.test ?? undefined;
  // A test that a restart has interrupted does not resume.
  if (execution.test !== undefined && execution.testOf === undefined) return;
  const workflow = store.workflows.get(execution.emitter.id);
  if (workflow === undefined) throw new WeirError('not_found', 'The workflow was deleted.');
  const deployment = store.workflows.deployment(state?.deploymentId ?? workflow.deploymentId);
  if (deployment === undefined) {
    throw new Error(`The deployment ${state?.deploymentId} that it began with is gone.`);
  }
  // From here on it is in use, and kept.
  execution.deployment = deployment;
  await codeOf(deployment);
  execution.override = state?.override ?? undefined;
  const rows = hasBegun ? await store.executions.steps(n) : [];
  const hits = hasBegun ? await store.executions.hits(n) : [];
  for (const hit of hits) {
    if (hitFor(execution.hits, hit.path, hit.run) === undefined) execution.hits.push(hit);
  }
  const { walk, waiting, unsent, seq, leg } = restore(
    deployment.definition.steps,
    rows,
    state?.legs ?? 0,
  );
  Object.assign(execution, { walk, seq, leg, waiting: new Map(waiting) });
  for (const text of unsent) {
    const { emits, sends } = JSON.parse(text) as Pick<Execution, 'emits' | 'sends'>;
    append(execution.emits, emits);
    append(execution.sends, sends);
  }
}
