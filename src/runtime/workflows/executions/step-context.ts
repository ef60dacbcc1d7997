/** `$.context` and `steps.trigger.context` (pure). */
import type { WorkflowRecord } from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';
import type { Trigger } from '../../../protocol/host.ts';
import type { Execution } from './execution.ts';
import type { ExecutionKeys } from './keys.ts';

/** @param path of the step; empty for the execution as a whole */
export function contextOf(
  execution: Execution,
  path: string,
  { keys, store }: { readonly keys: ExecutionKeys; readonly store: Pick<Store, 'workflows'> },
): object {
  const { n, leg, createdAt, replayOf, emitter, trigger, deployment, test } = execution;
  const traceId = (execution.traceId ??= keys.traceId(n));
  if (execution.legId?.leg !== leg) execution.legId = { leg, id: keys.legId(n, leg) };
  const workflow = store.workflows.get(emitter.id);
  return {
    id: execution.legId.id,
    ts: new Date(createdAt).toISOString(),
    pipeline_id: null,
    workflow_id: emitter.id,
    workflow_name: workflow?.name ?? null,
    deployment_id: deployment?.id ?? workflow?.deploymentId ?? '',
    source_type: trigger?.kind === 'http' ? 'HTTP' : 'COMPONENT',
    verified: false,
    hops: execution.hops === 0 ? null : execution.hops,
    test: test !== undefined,
    replay: replayOf !== undefined && test === undefined,
    resume: leg === 1 ? null : leg - 1,
    owner_id: null,
    platform_version: null,
    emitter_id: emitterOf(trigger, workflow),
    external_user_id: null,
    external_user_environment: null,
    project_id: null,
    trace_id: traceId,
    execution_id: `exec_${n}`,
    // Absent without a step, as in `$errors`.
    ...(path !== '' && { step_key: `${traceId}.${path}` }),
  };
}

/** Which of the triggers fired: the id of an endpoint or timer, or who emitted the event (P25.10). */
function emitterOf(
  trigger: Trigger | undefined,
  workflow: WorkflowRecord | undefined,
): string | null {
  if (trigger === undefined) return null;
  if (trigger.kind === 'event') return trigger.emitterId ?? null;
  return workflow?.interfaces.find(({ prop }) => prop === trigger.prop)?.id ?? null;
}
