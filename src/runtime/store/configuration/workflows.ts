import type { WorkflowDefinition } from '../../../protocol/workflow.ts';
import type { PageOf, PageRequest } from '../page.ts';
import type { InterfaceRecord } from './sources.ts';

/** A deployed workflow; times in epoch ms. */
export interface WorkflowRecord {
  /** `p_…` */
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Absolute path of its folder. */
  readonly path: string;
  readonly active: boolean;
  /** The one that new executions run; '' of one that was tested and never deployed. */
  readonly deploymentId: string;
  /** Endpoints and timers of its triggers; `prop` is the trigger's place in the file, from 0. */
  readonly interfaces: readonly InterfaceRecord[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The code of an execution: it never changes, and stays as long as an execution that began with it. */
export interface WorkflowDeploymentRecord {
  /** `d_…` */
  readonly id: string;
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  /** The saved component (`sc_…`) of each step that runs code, by its `uses`. */
  readonly components: Readonly<Record<string, string>>;
  /** Only one test execution runs it (P25.90). */
  readonly isTest: boolean;
  readonly createdAt: number;
}

/**
 * Commands on a missing workflow reject with WeirError('not_found'). A workflow that was tested and never deployed has
 * executions, but is in no list: `get`, `findTested` and `ofFolder` find it.
 */
export interface WorkflowTable {
  get(id: string): WorkflowRecord | undefined;
  /** `p_…` or slug. */
  find(idOrSlug: string): WorkflowRecord | undefined;
  findTested(idOrSlug: string): WorkflowRecord | undefined;
  /** @param path absolute, of its folder */
  ofFolder(path: string): WorkflowRecord | undefined;
  all(): WorkflowRecord[];
  list(page: PageRequest): PageOf<WorkflowRecord>;
  deployment(id: string): WorkflowDeploymentRecord | undefined;
  /** Oldest first. */
  deploymentsOf(workflowId: string): WorkflowDeploymentRecord[];
  /**
   * Makes the workflow, or gives it a new deployment; and makes its subscriptions what its triggers listen
   * to: those of the deployment before that are not among them go. The slug gets a number when it is taken.
   */
  deploy(
    workflow: WorkflowRecord,
    deployment: WorkflowDeploymentRecord,
    listensTo: readonly { readonly emitterId: string; readonly channel: string }[],
    newId: () => string,
  ): Promise<DeployedWorkflow>;
  /** Keeps a deployment for one test, and the workflow if it is new. Resolves with whether it was made. */
  addTest(workflow: WorkflowRecord, deployment: WorkflowDeploymentRecord): Promise<boolean>;
  /** Its name, or whether it is switched on. */
  update(
    id: string,
    change: { name?: string; active?: boolean },
    at: number,
  ): Promise<WorkflowRecord>;
  /** With everything it had. Resolves with the ids of the subscriptions that went with it. */
  delete(id: string): Promise<readonly string[]>;
  /**
   * Removes deployments that no workflow runs and no unfinished execution began with (P25.80), but for the newest
   * of each workflow, which replays may ask for, and of its tests (P25.83).
   * @param inUse of executions whose first step has not ended: no row says what they began with
   */
  removeUnusedDeployments(inUse: readonly string[]): Promise<void>;
}

export interface DeployedWorkflow {
  readonly record: WorkflowRecord;
  readonly subscribed: readonly string[];
  readonly unsubscribed: readonly string[];
}
