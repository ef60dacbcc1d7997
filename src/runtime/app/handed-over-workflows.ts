import { WeirError } from '../../protocol/errors.ts';
import type { Store } from '../store/store.ts';
import { applyWorkflow } from '../workflows/lifecycle/apply-workflow.ts';
import type { HandedOver } from './hand-over.ts';
import type { RunningSources } from './running-sources.ts';
import type { RunningWorkflows } from './running-workflows.ts';

export interface HandedOverWorkflowsOptions {
  readonly store: Pick<Store, 'workflows'>;
  readonly running: Pick<RunningSources, 'timers'>;
  readonly runningWorkflows: RunningWorkflows;
  /** See `HandOver`. */
  readonly runsHere: (id: string) => boolean;
}

/** Workflows as they come to this runtime and leave it. Executions that are paused are rows, and go with it. */
export function handedOverWorkflows(options: HandedOverWorkflowsOptions): HandedOver {
  const { store, running, runningWorkflows, runsHere } = options;
  const { instances, executions, sends } = runningWorkflows;
  const applied = { instances, executions, timers: running.timers, runsHere };
  /** What it sends does not keep it. */
  const isDeleted = new Set<string>();
  return {
    async prepare(id) {
      // Executions that are paused go on with the deployment that they began with.
      for (const deployment of store.workflows.deploymentsOf(id)) {
        if (deployment.isTest) continue;
        await instances.ready(deployment);
        const missing = instances.missing(deployment);
        if (missing !== undefined) {
          throw new WeirError('conflict', `The code of ${missing}, which ${id} uses, is not here.`);
        }
      }
      return (taken, emitter) => {
        const record = store.workflows.get(id);
        if (record === undefined) throw new WeirError('not_found', `There is no workflow ${id}.`);
        applyWorkflow(applied, record);
        executions.arrived(taken, emitter);
        sends.enqueue(taken.pendingSends);
      };
    },
    arrive: (id) => executions.arrive(id),
    notArrived: (id) => executions.notArrived(id),
    leave: (id) => executions.leave(id),
    end(id) {
      isDeleted.add(id);
      executions.endAll(id);
    },
    rests: (id) => executions.rests(id) && (isDeleted.has(id) || sends.rests(id)),
    stay(id) {
      isDeleted.delete(id);
      executions.stay(id);
      const record = store.workflows.get(id);
      if (record !== undefined) applyWorkflow(applied, record);
    },
    left(id) {
      isDeleted.delete(id);
      executions.left(id);
      sends.forget(id);
      instances.endEarlier(id, executions.deploymentsInUse());
    },
  };
}
