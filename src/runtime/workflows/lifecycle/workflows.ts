/** Deploy, switch on and off, delete: the states of a deployed workflow. */
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import type { TriggerDefinition } from '../../../protocol/workflow.ts';
import type { TaskContext } from '../../components/load.ts';
import type { Components } from '../../components/deployments/deployment.ts';
import type { SavedComponents } from '../../components/saved-components.ts';
import type { OwnedEmitters } from '../../emitters/owned-emitters.ts';
import type { Log } from '../../log.ts';
import type { Signals } from '../../signals.ts';
import type { InterfaceRecord } from '../../store/configuration/sources.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
} from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';
import type { Timers } from '../../triggers/timers.ts';
import type { Executions } from '../executions/executions.ts';
import { readWorkflow } from '../file/read.ts';
import { readState, stateFileName, stateText } from '../file/state.ts';
import type { WorkflowInstances } from './instances.ts';
import { knownTriggers, listensTo } from './listening.ts';
import { withResponse } from './http-response.ts';
import { type ResolveOptions, resolveSteps, workflowFile } from './resolve-steps.ts';

export interface WorkflowsOptions extends ResolveOptions {
  readonly store: Pick<Store, 'workflows' | 'sources' | 'subscriptions' | 'ownership'>;
  readonly signals: Signals;
  readonly emitters: OwnedEmitters;
  readonly instances: WorkflowInstances;
  readonly executions: Executions;
  readonly timers: Timers;
  readonly components: Pick<Components, 'get'>;
  readonly savedComponents: SavedComponents;
  readonly newId: (prefix: 'p_' | 'd_' | 'hi_' | 'ti_' | 'sub_') => string;
  readonly slugOf: (name: string) => string;
  readonly now: () => number;
  readonly log: Log;
}

export interface DeployWorkflow {
  /** Absolute path of the folder, or of its `workflow.yaml`. */
  readonly workflow_path: string;
  readonly install?: boolean | undefined;
}

export class Workflows {
  readonly #options: WorkflowsOptions;
  #deploying: Promise<unknown> = Promise.resolve();

  constructor(options: WorkflowsOptions) {
    this.#options = options;
  }

  /** Brings back what this runtime has taken. */
  async restore(): Promise<void> {
    const { store, instances, executions } = this.#options;
    await store.workflows.removeUnusedDeployments([]);
    for (const workflow of store.workflows.all()) {
      for (const deployment of store.workflows.deploymentsOf(workflow.id)) {
        await instances.add(deployment);
      }
      instances.map(workflow);
      executions.changed(workflow.id);
    }
  }

  /** Call it once the endpoints can be reached. */
  startTimers(): void {
    const { store, timers } = this.#options;
    for (const workflow of store.workflows.all()) {
      if (workflow.active) timers.set(workflow.id, workflow.interfaces);
    }
  }

  /**
   * The same folder again is a new deployment of the same workflow: executions that have begun go on with what
   * they began with (P25.80).
   * @throws WeirError `bad_input` with a detail for each mistake of the file, at its line; `bad_component`,
   *   `packages_needed`, `cancelled`
   */
  deploy(request: DeployWorkflow, context: TaskContext): Promise<WorkflowRecord> {
    const deployed = this.#deploying.then(() =>
      this.#options.savedComponents.adding(() => this.#deploy(request, context)),
    );
    // One after the other: two first deploys of a folder would be two workflows.
    this.#deploying = deployed.catch(() => undefined);
    return deployed;
  }

  async #deploy(request: DeployWorkflow, context: TaskContext): Promise<WorkflowRecord> {
    const { store, emitters, instances, executions, timers, signals, newId, now } = this.#options;
    const { folder, file } = await this.#locate(request.workflow_path);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'There is no file' : 'This file cannot be read:';
      throw new WeirError('bad_input', `${why} ${file}.`, undefined, error);
    });
    const { definition, diagnostics } = readWorkflow(text);
    if (definition === undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      throw new WeirError(
        'bad_input',
        errors.map(({ message, line }) => `${file}:${line}: ${message}`).join('\n'),
        errors.map(({ message, line, column }) => ({ file, message, line, column })),
      );
    }
    const resolved = await resolveSteps(this.#options, file, definition, request.install, context);
    const triggers = knownTriggers(this.#options, file, definition.triggers);
    const id = await this.#idOf(folder);
    const before = store.workflows.get(id);
    const at = now();
    const deployment: WorkflowDeploymentRecord = {
      id: newId('d_'),
      workflowId: id,
      definition: await withResponse(this.#options, { ...definition, triggers }, resolved),
      components: Object.fromEntries(
        [...resolved].map(([uses, { componentId }]) => [uses, componentId]),
      ),
      createdAt: at,
    };
    const active = before?.active ?? !definition.inactive;
    const subscriptions = listensTo(store, file, triggers);
    // Before anything begins with it: what triggers it does not wait.
    await instances.add(deployment);
    const { record, subscribed, unsubscribed } = await store.workflows.deploy(
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
    );
    if (before === undefined) {
      const taken = await store.ownership.take(id);
      executions.added(taken, emitters.add(taken));
    }
    instances.map(record);
    executions.changed(id);
    if (record.active) timers.set(id, record.interfaces);
    else timers.remove(id);
    await writeState(folder, id);
    signals.emit('workflow', id);
    for (const one of subscribed) signals.emit('subscription', one);
    for (const one of unsubscribed) signals.emit('subscriptionDeleted', one);
    await store.workflows.removeUnusedDeployments(executions.deploymentsInUse());
    instances.prune();
    return record;
  }

  /** @throws WeirError `not_found` */
  async update(
    id: string,
    change: { readonly name?: string | undefined; readonly active?: boolean | undefined },
  ): Promise<WorkflowRecord> {
    const { store, executions, timers, signals, instances, now } = this.#options;
    const { name, active } = change;
    const record = await store.workflows.update(
      id,
      { ...(name !== undefined && { name }), ...(active !== undefined && { active }) },
      now(),
    );
    if (record.active) timers.set(id, record.interfaces);
    else timers.remove(id);
    instances.map(record);
    executions.changed(id);
    signals.emit('workflow', id);
    return record;
  }

  /** With its executions, also those that are paused. @throws WeirError `not_found` */
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

  async #locate(path: string): Promise<{ folder: string; file: string }> {
    const { folder, file } = workflowFile(path);
    try {
      return { folder: await realpath(folder), file };
    } catch (error) {
      throw new WeirError('bad_input', `There is no folder ${folder}.`, undefined, error);
    }
  }

  /** The folder's own, unless another folder that is there has it: then this one is a copy. */
  async #idOf(folder: string): Promise<string> {
    const { store, newId, log } = this.#options;
    const deployed = store.workflows.all().find(({ path }) => path === folder);
    if (deployed !== undefined) return deployed.id;
    const text = await readFile(join(folder, stateFileName), 'utf8').catch(() => undefined);
    if (text === undefined) return newId('p_');
    const state = readState(text);
    if ('wrong' in state) throw new WeirError('bad_input', `${folder}: ${state.wrong}`);
    const written = state.id;
    const other = store.workflows.get(written);
    if (other === undefined) return written;
    const isThere = await realpath(other.path).then(
      () => true,
      () => false,
    );
    if (!isThere) return written;
    log('warn', `${folder} has the id of ${other.path}; it is a copy, and gets one of its own.`);
    return newId('p_');
  }

  /** One keeps its id as long as a trigger of its kind stays in its place: URLs are stable over deployments. */
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

async function writeState(folder: string, id: string): Promise<void> {
  const path = join(folder, stateFileName);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  const state = before === undefined ? undefined : readState(before);
  if (state !== undefined && 'id' in state && state.id === id) return;
  // A folder that cannot be written is still deployed: the store knows it by its path.
  await writeFile(path, stateText(id, before)).catch(() => undefined);
}
