/**
 * A workflow under the debugger: one process runs all of its steps, so one session is over all of them. Where each
 * step has a process of its own, each of them that starts is one more session.
 */
import type { ApiServices } from './api-services.ts';
import { join } from 'node:path';
import type { Components } from '../../components/deployments/deployment.ts';
import type { DebugSession } from '../../components/debug/session.ts';
import type { WorkflowRecord } from '../../store/configuration/workflows.ts';
import type { WorkflowInstances } from '../../workflows/lifecycle/instances.ts';
import type { CallContext } from './operations.ts';

export interface DebugWorkflowParts extends Pick<ApiServices, 'debugging'> {
  readonly workflowInstances: Pick<WorkflowInstances, 'processes' | 'endEarlier'>;
  readonly components: Pick<Components, 'folder'>;
}

/**
 * Its process waits for a debugger before it loads any step; one that runs already can be attached to.
 * Resolves when it is ready to run steps.
 */
export async function debugWorkflow(
  { debugging, workflowInstances, components }: DebugWorkflowParts,
  { id, path, deploymentId }: WorkflowRecord,
  { connection }: Pick<CallContext, 'connection'>,
): Promise<DebugSession> {
  const session = debugging.start({ sourceId: id, path: join(path, 'workflow.yaml') }, connection);
  try {
    workflowInstances.endEarlier(id, [deploymentId]);
    const processes = workflowInstances.processes(deploymentId);
    const running = session.processes.length === 0 ? processes.hosts : [];
    await processes.of('').open();
    const folder = await components.folder();
    for (const host of running) {
      if (!session.ended) await debugging.adopt(session, host, { folder });
    }
    return session;
  } catch (error) {
    if (session.processes.length === 0) debugging.stop(id);
    throw error;
  }
}
