/** Deploy, switch on and off, delete: the states of a deployed workflow. */
import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { WeirError } from '../../../protocol/errors.ts';
import type { ActionStep, TriggerDefinition } from '../../../protocol/workflow.ts';
import type { TaskContext } from '../../components/load.ts';
import { withRecentBuilds } from '../../components/deployments/recent-builds.ts';
import type { SavedComponents } from '../../components/saved-components.ts';
import type { InterfaceRecord } from '../../store/configuration/sources.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
} from '../../store/configuration/workflows.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Timers } from '../../events/triggers/timers.ts';
import type { Executions } from '../executions/executions.ts';
import {
  type FolderCodeOptions,
  type FolderRequest,
  type FolderWarning,
  readFolder,
} from './folder-code.ts';
import type { Inbox } from '../../events/inbox.ts';
import { applyWorkflow } from './apply-workflow.ts';
import { idOfFolder, writeState } from './folder-id.ts';
import { checkFolder, type FolderCheck } from './check-folder.ts';
import { currentSteps, type CurrentSteps } from './current-steps.ts';
import type { Outgoing } from '../tests/outgoing.ts';
import type { WorkflowInstances } from './instances.ts';
import { knownTriggers, listensTo } from './listening.ts';
import { actionsOf, workflowFile } from './resolve-steps.ts';
import type { PropSet } from './step-props.ts';
import { usableComponents, usedComponent, type UsableComponent } from './usable-components.ts';
import type { Services } from '../../events/services.ts';

export interface WorkflowsOptions
  extends
    FolderCodeOptions,
    UsesStore<'workflows' | 'sources' | 'subscriptions' | 'ownership'>,
    Pick<Services, 'signals' | 'emitters' | 'newId' | 'now'> {
  readonly inbox: Inbox;
  readonly instances: WorkflowInstances;
  readonly executions: Executions;
  readonly timers: Timers;
  readonly savedComponents: SavedComponents;
  /** See `applyWorkflow`. */
  readonly runsHere: (id: string) => boolean;
  /** Deployments that executions at other nodes have begun with; undefined when not all of them say so. There are no other nodes unless given. */
  readonly inUseElsewhere?: (() => Promise<readonly string[] | undefined>) | undefined;
  readonly slugOf: (name: string) => string;
}

export interface DeployedFolder {
  readonly record: WorkflowRecord;
  readonly warnings: readonly FolderWarning[];
}

/** The tested parts of one execution. */
export interface TestDeployment {
  /** Absolute path of the workflow's folder. */
  readonly folder: string;
  readonly deployment: WorkflowDeploymentRecord;
  readonly warnings: readonly FolderWarning[];
}

export class Workflows {
  readonly #options: WorkflowsOptions;
  #deploying: Promise<unknown> = Promise.resolve();
  /** Deployments that are tested, from before there is a row of their execution. */
  readonly #tested = new Set<string>();
  /** Builds what has changed only: it is asked for after each save of a file. */
  readonly #current: Omit<FolderCodeOptions, 'warn'>;

  constructor(options: WorkflowsOptions) {
    this.#options = options;
    const { prepare, now } = options;
    const components = withRecentBuilds(prepare.components, now);
    this.#current = { ...options, prepare: { ...prepare, components } };
  }

  /** Brings back what this runtime has taken. */
  async restore(): Promise<void> {
    const { store, instances, executions, inUseElsewhere } = this.#options;
    if (inUseElsewhere === undefined) await store.workflows.removeUnusedDeployments([]);
    for (const workflow of store.workflows.all()) {
      const deployment = store.workflows.deployment(workflow.deploymentId);
      if (deployment !== undefined) await instances.ready(deployment);
      instances.map(workflow);
      executions.changed(workflow.id);
    }
  }

  /** Call it once the endpoints can be reached. */
  startTimers(): void {
    const { store, runsHere, timers } = this.#options;
    for (const { id, active, interfaces } of store.workflows.all()) {
      if (active && runsHere(id)) timers.set(id, interfaces);
    }
  }

  /**
   * Deploying the same folder again makes a new deployment of the same workflow: running executions continue with their
   * old one (P25.80).
   * @throws WeirError `bad_input` with a detail for each mistake of the file, at its line; `bad_component`,
   * `packages_needed`, `cancelled`
   */
  deploy(request: FolderRequest, context: TaskContext): Promise<DeployedFolder> {
    return this.#inTurn(() => this.#deploy(request, context));
  }

  /**
   * The components that steps of a workflow may use.
   * @param file absolute path of `workflow.yaml`
   */
  components(file: string, signal: AbortSignal): Promise<UsableComponent[]> {
    const { prepare, workspace } = this.#options;
    const { saved, locked } = prepare;
    return usableComponents({ saved, locked, workspace }, file, signal);
  }

  /** Where the code of `key@version` is; undefined if there is none. */
  component(
    file: string,
    uses: string,
    signal: AbortSignal,
  ): Promise<Pick<UsableComponent, 'path' | 'componentId'> | undefined> {
    const { prepare, workspace } = this.#options;
    const { saved, locked } = prepare;
    return usedComponent({ saved, locked, workspace }, file, uses, signal);
  }

  /**
   * The steps as the files are now, and the code behind them; nothing of it runs, and nothing is installed.
   * @param folder of the workflow, absolute
   * @throws WeirError `bad_input` when its file cannot be read, `cancelled`
   */
  currentSteps(folder: string, context: TaskContext): Promise<CurrentSteps> {
    const { savedComponents } = this.#options;
    return savedComponents.adding(() => currentSteps(this.#current, folder, context));
  }

  /**
   * Whether a deploy of the folder would succeed. Nothing is deployed, saved or installed.
   * @param folder absolute
   * @param mayEvaluate whether the code of this file may be evaluated; other code is read by a parser
   */
  check(
    folder: string,
    mayEvaluate: (path: string | null) => boolean,
    context: TaskContext,
  ): Promise<FolderCheck> {
    const { savedComponents } = this.#options;
    const options = { ...this.#current, store: this.#options.store, mayEvaluate };
    return savedComponents.adding(() => checkFolder(options, folder, context));
  }

  async #deploy(request: FolderRequest, context: TaskContext): Promise<DeployedFolder> {
    const { store, instances, executions, inbox, signals, newId, now } = this.#options;
    const { folder, file, warnings, ...code } = await readFolder(this.#options, request, context);
    const { id, copy } = await idOfFolder(folder, store.workflows, () => newId('p_'));
    const notices: FolderWarning[] = [...warnings];
    const warn = (message: string): void => {
      notices.push({ severity: 'warning', message, file, line: 1, column: 0 });
    };
    if (copy !== undefined) warn(copy);
    const triggers = knownTriggers({ store, warn }, file, code.definition.triggers);
    const before = store.workflows.get(id);
    const isNew = before === undefined || before.deploymentId === '';
    const at = now();
    const deployment: WorkflowDeploymentRecord = {
      id: newId('d_'),
      workflowId: id,
      ...code,
      definition: { ...code.definition, triggers },
      isTest: false,
      createdAt: at,
    };
    const { definition } = deployment;
    const active = isNew ? !definition.inactive : before.active;
    const subscriptions = listensTo(store, file, triggers);
    // Before anything begins with it: what triggers it does not wait.
    await instances.ready(deployment);
    if (before === undefined) inbox.expect(id);
    const { record, subscribed, unsubscribed } = await store.workflows
      .deploy(
        {
          id,
          name: definition.name,
          slug: this.#options.slugOf(definition.name),
          path: folder,
          active,
          deploymentId: deployment.id,
          interfaces: this.#interfaces(triggers, before),
          createdAt: at,
          updatedAt: at,
        },
        deployment,
        subscriptions,
        () => newId('sub_'),
      )
      .catch((error: unknown) => {
        if (before === undefined) inbox.arrivalFailed(id);
        throw error;
      });
    if (before === undefined) await this.#own(id);
    applyWorkflow(this.#options, record);
    await writeState(folder, id);
    signals.emit('workflow', id);
    for (const one of subscribed) signals.emit('subscription', one);
    for (const one of unsubscribed) signals.emit('subscriptionDeleted', one);
    await this.#prune();
    instances.endEarlier(id, [deployment.id, ...executions.deploymentsInUse()]);
    return { record, warnings: notices };
  }

  /**
   * The files as they are, for one execution that tests them (P25.90): what is deployed of the folder stays as it is.
   * To be ended with `endTest`.
   * @throws as `deploy`
   */
  prepareTest(request: FolderRequest, context: TaskContext): Promise<TestDeployment> {
    return this.#inTurn(async () => {
      const { store, instances, newId, now, slugOf } = this.#options;
      const {
        folder,
        warnings,
        file: _file,
        ...code
      } = await readFolder(
        { ...this.#options, knownPropSet: this.#deployedPropSets(request.workflow_path) },
        request,
        context,
      );
      const { id } = await idOfFolder(folder, store.workflows, () => newId('p_'));
      const at = now();
      const made = { id: newId('d_'), workflowId: id, ...code, isTest: true, createdAt: at };
      const { name } = code.definition;
      const workflow = { id, name, slug: slugOf(name), path: folder, active: false };
      const times = { createdAt: at, updatedAt: at };
      const never = { ...workflow, deploymentId: '', interfaces: [], ...times };
      this.#tested.add(made.id);
      try {
        await instances.ready(made);
        if (await store.workflows.addTest(never, made)) await this.#own(id);
      } catch (error) {
        this.#tested.delete(made.id);
        throw error;
      }
      return { folder, deployment: made, warnings };
    });
  }

  /** The prop sets of the folder's deploy: a test does not call the app for them again. */
  #deployedPropSets(path: string): (step: ActionStep, componentId: string) => PropSet | undefined {
    const { store } = this.#options;
    return (step, componentId) => {
      const { folder } = workflowFile(path);
      const record = store.workflows.ofFolder(realpathSync(folder));
      const deployed = record && store.workflows.deployment(record.deploymentId);
      const same = actionsOf(deployed?.definition.steps ?? []).find(
        ({ uses, props, propSet }) =>
          propSet !== undefined &&
          deployed?.components[uses] === componentId &&
          isDeepStrictEqual(props, step.props),
      );
      return same?.propSet;
    };
  }

  /** Decides what leaves the process of a test; called before that begins. */
  setOutgoing(deploymentId: string, outgoing: Outgoing): void {
    this.#options.instances.setOutgoing(deploymentId, outgoing);
  }

  /** The execution that it was for has ended, or never began. */
  async endTest(deploymentId: string): Promise<void> {
    this.#tested.delete(deploymentId);
    this.#options.instances.close(deploymentId, 'the test has ended');
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const { store, executions, instances, inUseElsewhere } = this.#options;
    const elsewhere = inUseElsewhere === undefined ? [] : await inUseElsewhere();
    // It is asked again at the next deploy.
    if (elsewhere === undefined) return;
    const inUse = [...this.#tested, ...executions.deploymentsInUse(), ...elsewhere];
    await store.workflows.removeUnusedDeployments(inUse);
    instances.prune();
  }

  async #own(id: string): Promise<void> {
    const { store, executions, emitters, inbox } = this.#options;
    const taken = await store.ownership.take(id);
    // Nothing of a new one was cut off.
    inbox.arrived({ ...taken, released: true }, emitters.add(taken));
    executions.lookForDue();
  }

  /** Deploys run one after the other: two first deploys of a folder would make two workflows. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#deploying.then(() => this.#options.savedComponents.adding(work));
    this.#deploying = done.catch(() => undefined);
    return done;
  }

  /** @throws WeirError `not_found` */
  async update(
    id: string,
    change: { readonly name?: string | undefined; readonly active?: boolean | undefined },
  ): Promise<WorkflowRecord> {
    const { store, signals, now } = this.#options;
    const { name, active } = change;
    const record = await store.workflows.update(
      id,
      { ...(name !== undefined && { name }), ...(active !== undefined && { active }) },
      now(),
    );
    applyWorkflow(this.#options, record);
    signals.emit('workflow', id);
    return record;
  }

  /** Deletes its executions as well, also paused ones. @throws WeirError `not_found` */
  async delete(id: string): Promise<void> {
    const { store, emitters, executions, instances, timers, signals } = this.#options;
    const record = store.workflows.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no workflow ${id}.`);
    const deployments = store.workflows.deploymentsOf(id).map((one) => one.id);
    timers.remove(id);
    executions.removed(id);
    instances.remove(id, deployments);
    emitters.remove(id);
    const subscriptions = await store.workflows.delete(id);
    for (const one of subscriptions) signals.emit('subscriptionDeleted', one);
    signals.emit('emitterDeleted', id);
    await this.#options.savedComponents.removeUnused();
  }

  /**
   * An interface keeps its id as long as a trigger of its kind stays in its place: URLs are stable over deployments.
   */
  #interfaces(
    triggers: readonly TriggerDefinition[],
    before: WorkflowRecord | undefined,
  ): InterfaceRecord[] {
    return triggers.flatMap((trigger, place): InterfaceRecord[] => {
      const prop = String(place);
      if (trigger.type !== 'http' && trigger.type !== 'timer') return [];
      const kind = trigger.type;
      const kept = before?.interfaces.find((one) => one.prop === prop && one.kind === kind);
      const id = kept?.id ?? this.#options.newId(kind === 'http' ? 'hi_' : 'ti_');
      if (trigger.type === 'http') return [{ id, prop, kind }];
      const { cron, timezone, intervalSeconds } = trigger;
      const isSame =
        kept?.cron === cron &&
        kept?.timezone === timezone &&
        kept?.intervalSeconds === intervalSeconds;
      return [
        {
          id,
          prop,
          kind,
          ...(cron !== undefined && { cron }),
          ...(timezone !== undefined && { timezone }),
          ...(intervalSeconds !== undefined && { intervalSeconds }),
          ...(isSame && kept?.nextAt !== undefined && { nextAt: kept.nextAt }),
        },
      ];
    });
  }
}
