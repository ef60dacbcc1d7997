import type { WorkflowRecord } from '../../store/configuration/workflows.ts';
import type { Timers } from '../../events/triggers/timers.ts';
import type { Executions } from '../executions/executions.ts';
import type { WorkflowInstances } from './instances.ts';

export interface ApplyWorkflowParts {
  readonly instances: Pick<WorkflowInstances, 'map'>;
  readonly executions: Pick<Executions, 'changed'>;
  readonly timers: Pick<Timers, 'set' | 'remove'>;
  /** It is here, and is not about to leave. */
  readonly runsHere: (id: string) => boolean;
}

/** It is as this record says from now on: its endpoints, and where it runs also its limits and its timers. */
export function applyWorkflow(
  { instances, executions, timers, runsHere }: ApplyWorkflowParts,
  record: WorkflowRecord,
): void {
  instances.map(record);
  if (!runsHere(record.id)) return;
  executions.changed(record.id);
  if (record.active) timers.set(record.id, record.interfaces);
  else timers.remove(record.id);
}
