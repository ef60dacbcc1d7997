/** The deployed workflows in memory: the code of their deployments, their processes, and their endpoints. */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { HostConfiguration } from '../../../protocol/host.ts';
import type { TriggerDefinition } from '../../../protocol/workflow.ts';
import type { Host } from '../../processes/host.ts';
import type { IdleProcesses } from '../../processes/idle-processes.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
} from '../../store/configuration/workflows.ts';
import type { StepOverride } from '../../store/history/executions.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Endpoint } from '../../events/triggers/http/route.ts';
import { componentOf, type StepCode } from '../executions/workflow-process.ts';
import { WorkflowProcesses } from '../executions/workflow-processes.ts';
import type { Outgoing } from '../tests/outgoing.ts';
import type { ActionTask } from '../walk/walk.ts';
import { withProps } from './step-props.ts';
import type { BaseServices } from '../../base/services.ts';

export interface WorkflowInstancesOptions
  extends UsesStore<'workflows' | 'components'>, Pick<BaseServices, 'clock'> {
  /** Absolute path of the bundle of a hash; undefined when its folder is gone. */
  readonly bundleOf: (hash: string) => Promise<string | undefined>;
  readonly openHost: (
    workflow: WorkflowRecord,
    deployment: WorkflowDeploymentRecord,
    signal: AbortSignal,
  ) => Promise<Host>;
  /** Props in the clear, accounts, db. */
  readonly configuration: (
    workflowId: string,
    task: ActionTask,
    definition: ComponentDefinition,
  ) => HostConfiguration;
  readonly idleMs: number;
  readonly idleProcesses: IdleProcesses;
}

interface DeployedCode {
  readonly processes: WorkflowProcesses;
  /** By `uses`: one of which the folder is gone has none. */
  readonly bundles: Map<string, string>;
  /** Number of all bundles. */
  readonly count: number;
}

export class WorkflowInstances {
  readonly #options: WorkflowInstancesOptions;
  readonly #code = new Map<string, DeployedCode>();
  readonly #adding = new Map<string, Promise<void>>();
  readonly #endpoints = new Map<string, Endpoint>();
  /** For tests, by deployment. */
  readonly #outgoing = new Map<string, Outgoing>();

  constructor(options: WorkflowInstancesOptions) {
    this.#options = options;
  }

  /**
   * Looks up the bundles of a deployment when it is first needed: of many only the newest ever is.
   * @returns undefined when that has been done
   */
  ready(deployment: WorkflowDeploymentRecord): Promise<void> | undefined {
    const { id } = deployment;
    const known = this.#code.get(id);
    // Missing bundles may have arrived meanwhile.
    if (known !== undefined && known.bundles.size === known.count) return undefined;
    const adding =
      this.#adding.get(id) ?? this.#add(deployment).finally(() => this.#adding.delete(id));
    this.#adding.set(id, adding);
    return adding;
  }

  async #add(deployment: WorkflowDeploymentRecord): Promise<void> {
    const { store, clock, idleMs, idleProcesses } = this.#options;
    const bundles = this.#code.get(deployment.id)?.bundles ?? new Map<string, string>();
    for (const [uses, componentId] of Object.entries(deployment.components)) {
      const saved = store.components.get(componentId);
      const bundle = saved && (await this.#options.bundleOf(saved.hash));
      if (bundle !== undefined) bundles.set(uses, bundle);
    }
    if (this.#code.has(deployment.id)) return;
    const count = Object.keys(deployment.components).length;
    const processes = new WorkflowProcesses({
      isIsolated: deployment.definition.settings.isolateSteps,
      open: (signal) => {
        const workflow = store.workflows.get(deployment.workflowId);
        if (workflow === undefined) throw new WeirError('not_found', 'The workflow was deleted.');
        return this.#options.openHost(workflow, deployment, signal);
      },
      idleMs,
      idleProcesses,
      emitterId: deployment.workflowId,
      clock,
    });
    this.#code.set(deployment.id, { processes, bundles, count });
  }

  /** A component of which the code is not here, as a step uses it; undefined when all of it is. Call `ready` before. */
  missing({ id, components }: WorkflowDeploymentRecord): string | undefined {
    return Object.keys(components).find((uses) => this.#code.get(id)?.bundles.has(uses) !== true);
  }

  processes(deploymentId: string): WorkflowProcesses {
    return this.#require(deploymentId).processes;
  }

  /** @param override of a replay with other props */
  stepCode(deploymentId: string, given: ActionTask, override: StepOverride | undefined): StepCode {
    const isOther = override !== undefined && override.path === given.path;
    const task = isOther
      ? { ...given, step: withProps(given.step, { ...given.step.props, ...override.props }) }
      : given;
    const { bundles } = this.#require(deploymentId);
    const { store } = this.#options;
    const deployment = store.workflows.deployment(deploymentId);
    const bundle = bundles.get(task.step.uses);
    const componentId = deployment?.components[task.step.uses];
    const saved = componentId === undefined ? undefined : store.components.get(componentId);
    if (deployment === undefined || bundle === undefined || saved === undefined) {
      throw new WeirError(
        'not_found',
        `The code of ${task.step.uses} is gone from the data folder; deploy the workflow again.`,
      );
    }
    return {
      component: componentOf(task, override),
      bundle,
      configuration: this.#options.configuration(deployment.workflowId, task, saved.definition),
    };
  }

  /** Its endpoints as they are now. */
  map(workflow: WorkflowRecord): void {
    this.#unmap(workflow.id);
    const deployment = this.#options.store.workflows.deployment(workflow.deploymentId);
    if (deployment === undefined) return;
    const { triggers } = deployment.definition;
    for (const { id, kind, prop } of workflow.interfaces) {
      const trigger = triggers[Number(prop)];
      if (kind !== 'http' || trigger?.type !== 'http') continue;
      this.#endpoints.set(id, endpointOf(workflow.id, prop, trigger));
    }
  }

  /** By `hi_…`; undefined when unknown or switched off (P25.3). */
  endpoint(interfaceId: string): Endpoint | undefined {
    const found = this.#endpoints.get(interfaceId);
    if (found === undefined) return undefined;
    return this.#options.store.workflows.get(found.emitterId)?.active === true ? found : undefined;
  }

  /** Accounts have changed. */
  reconfigure(): void {
    for (const { processes } of this.#code.values()) processes.reconfigure();
  }

  /** Lets go of the code of deployments that are gone. */
  prune(): void {
    for (const [id, { processes }] of this.#code) {
      if (this.#options.store.workflows.deployment(id) !== undefined) continue;
      processes.close('its deployment was replaced');
      this.#code.delete(id);
    }
  }

  /** @param deployments of the workflow */
  remove(workflowId: string, deployments: readonly string[]): void {
    this.#unmap(workflowId);
    for (const id of deployments) {
      this.#code.get(id)?.processes.close('the workflow was deleted');
      this.#code.delete(id);
    }
  }

  /** After an execution that could not be stored: steps read their db again when they run next. */
  forgetExecution(deploymentId: string, execution: number): void {
    const processes = this.#code.get(deploymentId)?.processes;
    processes?.reconfigure();
    processes?.forget(execution);
  }

  /** Decides what leaves the processes of a test that are started from now on. */
  setOutgoing(deploymentId: string, outgoing: Outgoing): void {
    this.#outgoing.set(deploymentId, outgoing);
  }

  /** Undefined for what is not a test. */
  outgoing(deploymentId: string): Outgoing | undefined {
    return this.#outgoing.get(deploymentId);
  }

  /** Nothing runs in its process any more. */
  close(deploymentId: string, reason: string): void {
    this.#outgoing.delete(deploymentId);
    this.#code.get(deploymentId)?.processes.close(reason);
  }

  /** Executions in a process of an earlier deployment continue; a process without any ends now. */
  endEarlier(workflowId: string, inUse: readonly string[]): void {
    for (const { id } of this.#options.store.workflows.deploymentsOf(workflowId)) {
      if (!inUse.includes(id)) this.#code.get(id)?.processes.endIdle();
    }
  }

  /** Every process that runs: they end with the runtime. */
  hosts(): Host[] {
    return [...this.#code.values()].flatMap(({ processes }) => processes.hosts);
  }

  #require(deploymentId: string): DeployedCode {
    const found = this.#code.get(deploymentId);
    if (found !== undefined) return found;
    throw new WeirError('not_found', `The code of the deployment ${deploymentId} is gone.`);
  }

  #unmap(workflowId: string): void {
    for (const [id, { emitterId }] of this.#endpoints) {
      if (emitterId === workflowId) this.#endpoints.delete(id);
    }
  }
}

function endpointOf(
  workflowId: string,
  prop: string,
  trigger: Extract<TriggerDefinition, { type: 'http' }>,
): Endpoint {
  const { response, isOpen } = trigger;
  return {
    emitterId: workflowId,
    prop,
    customResponse: response === 'workflow',
    ...(isOpen === true && { successUnanswered: true }),
    ...(response === 'static' && {
      given: {
        status: trigger.status ?? 200,
        headers: trigger.headers ?? {},
        body: trigger.body ?? '',
      },
    }),
    ...(trigger.token !== undefined && { token: trigger.token }),
  };
}
