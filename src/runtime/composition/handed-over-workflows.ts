import { WeirError } from '../../protocol/errors.ts';
import type { Store } from '../store/store.ts';
import { applyWorkflow } from '../workflows/lifecycle/apply-workflow.ts';
import type { OwnedEmitters } from '../emitters/owned-emitters.ts';
import type { HandedOver } from './hand-over.ts';
import type { RunningSources } from './running-sources.ts';
import type { RunningWorkflows } from './running-workflows.ts';

export interface HandedOverWorkflowsOptions {
  readonly store: Pick<Store, 'workflows'>;
  readonly emitters: OwnedEmitters;
  readonly running: Pick<RunningSources, 'timers'>;
  readonly runningWorkflows: RunningWorkflows;
  /** Logs an error that nobody waits for. */
  readonly report: (where: string, error: unknown) => void;
}

/** Workflows as they come to this runtime and leave it. Executions that are paused are rows, and go with it. */
export function handedOverWorkflows(options: HandedOverWorkflowsOptions): HandedOver {
  const { store, emitters, running, runningWorkflows, report } = options;
  const { instances, executions, sends } = runningWorkflows;
  const apply = (id: string): void => {
    const record = store.workflows.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no workflow ${id}.`);
    applyWorkflow({ instances, executions, timers: running.timers, emitters }, record);
  };
  return {
    async prepare(id) {
      const record = store.workflows.get(id);
      const deployment = record && store.workflows.deployment(record.deploymentId);
      if (deployment !== undefined) {
        await instances.ready(deployment);
        const missing = instances.missing(deployment);
        if (missing !== undefined) {
          throw new WeirError('conflict', `The code of ${missing}, which ${id} uses, is not here.`);
        }
      }
      return (taken, emitter) => {
        apply(id);
        executions.arrived(taken, emitter);
        // An error of the store has been said.
        sends.takeUp(id).catch((error: unknown) => {
          if (!WeirError.is(error, 'store_failed')) report(`What ${id} sends`, error);
        });
      };
    },
    arrive: (id) => executions.arrive(id),
    notArrived: (id) => executions.notArrived(id),
    leave: (id) => executions.leave(id),
    end: (id) => executions.endAll(id),
    rests: (id) => executions.rests(id) && sends.rests(id),
    stay(id) {
      executions.stay(id);
      apply(id);
    },
    left(id) {
      executions.left(id);
      sends.forget(id);
      instances.endEarlier(id, executions.deploymentsInUse());
    },
  };
}
