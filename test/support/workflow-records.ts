/** Workflows, deployments and step commits as the other rooms make them. */
import type { StepCommit } from '../../src/runtime/store/commit.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
} from '../../src/runtime/store/configuration/workflows.ts';
import type { NewStepRun } from '../../src/runtime/store/history/executions.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { fenceOf } from './records.ts';

export function workflow(id: string, changes: Partial<WorkflowRecord> = {}): WorkflowRecord {
  return {
    id,
    name: `Workflow ${id}`,
    slug: `workflow-${id}`,
    path: `/flows/${id}`,
    active: true,
    deploymentId: 'd_1',
    interfaces: [
      { id: `hi_${id}`, prop: '0', kind: 'http' },
      { id: `ti_${id}`, prop: '1', kind: 'timer', cron: '0 9 * * *', timezone: 'UTC', nextAt: 50 },
    ],
    createdAt: 1,
    updatedAt: 2,
    ...changes,
  };
}

export function deployment(
  id: string,
  workflowId: string,
  changes: Partial<WorkflowDeploymentRecord> = {},
): WorkflowDeploymentRecord {
  return {
    id,
    workflowId,
    definition: {
      name: 'Orders',
      inactive: false,
      settings: {
        errorNotification: true,
        autoRetry: true,
        dataRetention: true,
        workers: 2,
        concurrencyKey: '{{ steps.trigger.event.customer }}',
        throttle: { limit: 3, intervalMs: 60_000 },
        queueSize: 500,
        isolateSteps: false,
      },
      triggers: [],
      steps: [],
    },
    components: { './a.ts': 'sc_1' },
    isTest: false,
    createdAt: 3,
    ...changes,
  };
}

export function stepRun(seq: number, changes: Partial<NewStepRun> = {}): NewStepRun {
  return {
    seq,
    path: `step_${seq}`,
    namespace: `step_${seq}`,
    run: 1,
    attempt: 1,
    status: 'succeeded',
    startedAt: 1000 + seq,
    endedAt: 1001 + seq,
    leg: 1,
    exports: JSON.stringify({ seq }),
    returnValue: JSON.stringify(seq),
    decision: null,
    error: null,
    pause: null,
    sends: null,
    props: null,
    logs: [],
    ...changes,
  };
}

/** Begins an execution of a workflow. */
export async function execute(store: Store, emitterId = 'p_1'): Promise<number> {
  const fence = await fenceOf(store, emitterId);
  const trigger = { kind: 'event', json: '{"a":1}' } as const;
  const { n, durable } = store.accept({ emitterId, fence, cause: 'http', trigger, at: 900 });
  await durable;
  return n;
}

/** Commits a step of `p_1`, unless another emitter is named. */
export async function commitStep(store: Store, n: number, changes: Partial<StepCommit> = {}) {
  const emitterId = changes.emitterId ?? 'p_1';
  return store.commitStep({
    n,
    emitterId,
    fence: await fenceOf(store, emitterId),
    deploymentId: 'd_1',
    startedAt: 1000,
    leg: 1,
    sends: [],
    sendsOut: false,
    events: [],
    drops: [],
    db: [],
    logs: [],
    ...changes,
  });
}
