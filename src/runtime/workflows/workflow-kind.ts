/** Workflows as a kind of emitter: a run of one is an execution. */
import { WeirError } from '../../protocol/errors.ts';
import type {
  EmitterKind,
  EmitterRecords,
  KindTransfer,
  RecoveredEmitter,
} from '../events/emitter-kind.ts';
import type { InboxEntry } from '../events/intake.ts';
import type { ShownRun } from '../events/owner/owned-emitters.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';
import type { Timers } from '../events/triggers/timers.ts';
import type { UsesStore } from '../store/store.ts';
import type { Executions } from './executions/executions.ts';
import { applyWorkflow } from './lifecycle/apply-workflow.ts';
import type { WorkflowInstances } from './lifecycle/instances.ts';
import type { Sends } from './sends/sends.ts';
import type { Services } from '../events/services.ts';

export interface WorkflowKindOptions extends UsesStore<'workflows'>, Pick<Services, 'signals'> {
  readonly instances: WorkflowInstances;
  readonly executions: Executions;
  readonly sends: Sends;
  readonly timers: Timers;
  /** It is owned here, and not about to be given to another owner. */
  readonly runsHere: (id: string) => boolean;
}

export class WorkflowKind implements EmitterKind {
  readonly prefix = 'p';
  readonly name = 'workflow';
  readonly records: EmitterRecords;
  readonly keepsRefusedRequests = true;
  readonly transfer: KindTransfer;
  readonly #options: WorkflowKindOptions;

  constructor(options: WorkflowKindOptions) {
    this.#options = options;
    this.records = options.store.workflows;
    this.transfer = workflowTransfer(options);
  }

  endpoint(id: string): Endpoint | undefined {
    return this.#options.instances.endpoint(id);
  }

  /** A workflow that is switched off has a row that says so (P25.3). */
  listens(id: string): boolean {
    return this.#options.store.workflows.get(id) !== undefined;
  }

  begin(entry: InboxEntry): void {
    this.#options.executions.begin(entry);
  }

  endUnstarted(entry: InboxEntry, reason: string | undefined): void {
    this.#options.executions.endUnstarted(entry, reason);
  }

  recover(taken: readonly RecoveredEmitter[]): void {
    this.#options.executions.recover(taken);
  }

  get inFlight(): number {
    return this.#options.executions.inFlight;
  }

  isRunning(run: ShownRun): boolean {
    return run.record().status === 'running';
  }

  startNext(): void {
    this.#options.executions.startNext();
  }

  changed(id: string): void {
    this.#options.signals.emit('workflow', id);
  }
}

/** Executions that are paused are rows, and go along. */
function workflowTransfer(options: WorkflowKindOptions): KindTransfer {
  const { store, instances, executions, sends } = options;
  const apply = (id: string): boolean => {
    const record = store.workflows.get(id);
    if (record !== undefined) applyWorkflow(options, record);
    return record !== undefined;
  };
  /** Deleted workflows: their pending sends do not keep them. */
  const deleted = new Set<string>();
  return {
    async prepare(id) {
      // Paused executions continue with the deployment that they began with.
      for (const deployment of store.workflows.deploymentsOf(id)) {
        if (deployment.isTest) continue;
        await instances.ready(deployment);
        const missing = instances.missing(deployment);
        if (missing !== undefined) {
          throw new WeirError('conflict', `The code of ${missing}, which ${id} uses, is not here.`);
        }
      }
      return () => {
        if (!apply(id)) throw new WeirError('not_found', `There is no workflow ${id}.`);
      };
    },
    arrived(taken) {
      executions.lookForDue();
      sends.enqueue(taken.pendingSends);
    },
    beginTransfer: (id) => executions.beginTransfer(id),
    isIdle: (id) => executions.isIdle(id) && (deleted.has(id) || sends.isIdle(id)),
    endRuns(id) {
      deleted.add(id);
      executions.endAll(id);
    },
    cancelTransfer(id) {
      deleted.delete(id);
      executions.cancelTransfer(id);
      apply(id);
    },
    transferredOut(id) {
      deleted.delete(id);
      executions.transferredOut(id);
      sends.forget(id);
      instances.endEarlier(id, executions.deploymentsInUse());
    },
  };
}
