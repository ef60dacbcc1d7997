/** Decides where sources and workflows may run: resources on one machine keep an emitter at the leader. */
import type { Components } from '../components/deployments/deployment.ts';
import type { Debugging } from '../components/debug/debugging.ts';
import type { Environment } from '../accounts/environment/environment.ts';
import { accountIds } from '../components/props/configured.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { WorkflowDeploymentRecord, WorkflowRecord } from '../store/configuration/workflows.ts';
import type { SharedStore } from '../store/shared.ts';
import type { UsesStore } from '../store/store.ts';
import { BoundToMachine } from './local-resources.ts';
import type { RunningWorkflows } from './running-workflows.ts';

export interface PlacementOptions extends UsesStore<
  'accounts' | 'components' | 'sources' | 'workflows'
> {
  readonly shared: Pick<SharedStore, 'changes'>;
  readonly components: Pick<Components, 'get'>;
  readonly runningWorkflows: Pick<RunningWorkflows, 'accountsOfSteps'>;
  readonly environment: Pick<Environment, 'hasFile' | 'refresh'>;
  readonly debugging: Pick<Debugging, 'find'>;
}

/** `here`: where it is now. */
export type NodeChoice = 'any' | 'leader' | 'here';

export class Placement {
  readonly #options: PlacementOptions;
  readonly #bound: BoundToMachine;
  /** Choices for workflows, and the configuration that each was made from. */
  readonly #known = new Map<string, NodeChoice>();
  #knownAt = -1;

  constructor(options: PlacementOptions) {
    this.#options = options;
    this.#bound = new BoundToMachine(options.components);
  }

  /** Ids of those whose place is this one. */
  of(place: NodeChoice): string[] {
    const { store, environment } = this.#options;
    environment.refresh();
    return [
      ...store.sources.all().filter((source) => this.#ofSource(source) === place),
      ...store.workflows.all().filter((workflow) => this.#ofWorkflow(workflow) === place),
    ].map(({ id }) => id);
  }

  #ofSource({ id, active, deploying, interfaces, configuredProps }: SourceRecord): NodeChoice {
    if (!active || deploying || this.#options.debugging.find(id) !== undefined) return 'here';
    const hasAppHook = interfaces.some(({ kind }) => kind === 'apphook');
    return hasAppHook || !this.#areForAll(accountIds(configuredProps)) ? 'leader' : 'any';
  }

  #ofWorkflow({ id, active, deploymentId }: WorkflowRecord): NodeChoice {
    const { store, environment, debugging } = this.#options;
    const deployment = store.workflows.deployment(deploymentId);
    if (!active || deployment === undefined || debugging.find(id) !== undefined) return 'here';
    return environment.hasFile ? 'leader' : this.#ofDeployment(id, deployment);
  }

  /** It is asked for all workflows twice a second, and changes with the configuration alone. */
  #ofDeployment(id: string, deployment: WorkflowDeploymentRecord): NodeChoice {
    const { changes } = this.#options.shared;
    if (changes !== this.#knownAt) this.#known.clear();
    this.#knownAt = changes;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const place = this.#placeOf(id, deployment);
    if (place !== 'here') this.#known.set(id, place);
    return place;
  }

  /** `here`: some of its code was not read yet. */
  #placeOf(id: string, deployment: WorkflowDeploymentRecord): NodeChoice {
    const { store, runningWorkflows } = this.#options;
    if (!this.#areForAll(runningWorkflows.accountsOfSteps(deployment))) return 'leader';
    // A paused execution continues with its original deployment.
    const code = store.workflows
      .deploymentsOf(id)
      .filter(({ isTest }) => !isTest)
      .flatMap(({ components }) => Object.values(components))
      .map((component) => this.#bound.has(store.components.get(component)?.hash ?? ''));
    if (code.includes(true)) return 'leader';
    return code.includes(undefined) ? 'here' : 'any';
  }

  /** Accounts of the user are on this machine alone, and for those of OAuth 1.0a this runtime signs. */
  #areForAll(accounts: readonly string[]): boolean {
    return accounts.every((id) => {
      const account = this.#options.store.accounts.get(id);
      return account !== undefined && account.oauth?.health.kind !== 'oauth1';
    });
  }
}
