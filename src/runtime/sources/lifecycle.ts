/**
 * deploy · update · activate · deactivate · delete: the states of a deployed source and the exact
 * order of its hooks (P12.1 to P12.4).
 */
import { WeirError } from '../../protocol/errors.ts';
import type { DbWrite } from '../../protocol/host.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import { openProps } from '../accounts/secret-props.ts';
import type { TaskContext } from '../components/load.ts';
import { hasOrigin, type Origin } from '../components/origin.ts';
import { withAccounts, withoutOthers } from '../components/props/allowed-accounts.ts';
import { prepare, type PreparedComponent, type PrepareOptions } from '../components/prepare.ts';
import type { SavedComponents } from '../components/saved-components.ts';
import type { DbMemory } from '../events/owner/db-memory.ts';
import type { Invocations } from '../events/runs/invocations.ts';
import { accountIds, type Configured, mergeConfigured } from '../components/props/configured.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Timers } from '../events/triggers/timers.ts';
import { Hooks } from './hooks.ts';
import type { Instance, Instances } from './instances.ts';
import { reservedInterfaces } from './interfaces.ts';
import { KeyedMutex, unlessAborted } from '../base/keyed-mutex.ts';
import { newRecord, slugOf, updatedRecord } from './records.ts';
import type { Services } from '../events/services.ts';

export interface LifecycleOptions extends Pick<
  Services,
  'store' | 'signals' | 'emitters' | 'newId' | 'now' | 'log'
> {
  readonly savedComponents: SavedComponents;
  readonly instances: Instances;
  readonly invocations: Invocations;
  readonly accounts: Accounts;
  readonly sealer: Sealer;
  readonly timers: Timers;
  readonly prepare: PrepareOptions;
}

export interface DeployRequest extends Origin {
  readonly name?: string | undefined;
  readonly configured_props?: Configured | undefined;
  /** Ids of the only accounts that it may name; all unless given. */
  readonly accounts?: readonly string[] | undefined;
  /** Ids of endpoints that were reserved before, by prop. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
  /** False leaves the deploy hook out. */
  readonly hooks?: boolean | undefined;
}

export interface UpdateRequest extends Origin {
  readonly name?: string | undefined;
  /** Merged over what is configured; null takes a value away. */
  readonly configured_props?: Configured | undefined;
  /** Ids of the only accounts that it may name; all unless given. */
  readonly accounts?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

/** How long an update, a restart or a deactivation waits for the runs in flight. */
const drainMs = 10_000;
/** How long an update waits for a run that a user is debugging. */
const debuggedDrainMs = 24 * 3600_000;
/** How long a change of a db waits for the runs in flight: callers wait with it. */
const editWaitMs = 5000;
/** The state after a hook has failed. */
const consequence = {
  deploy: 'Nothing was deployed.',
  update: 'The new code is in place; fix it and update again.',
  activate: 'The source stays switched off.',
  deactivate: 'The source is switched off all the same.',
  delete:
    'Nothing was deleted. To delete it all the same, ignore errors of hooks (--ignore-hook-errors).',
} as const;

export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #hooks: Hooks;
  readonly #saved: SavedComponents;
  /** Two updates of one source must not interleave their hooks. */
  readonly #perSource = new KeyedMutex();

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#hooks = new Hooks(options.invocations);
    this.#saved = options.savedComponents;
  }

  /** Starts the timers of the restored sources: call it once the endpoints can be reached. */
  startTimers(): void {
    for (const { record } of this.#options.instances.all()) {
      if (record.active) this.#options.timers.set(record.id, record.interfaces);
    }
  }

  /**
   * Resolves with the record of the active source.
   * @throws WeirError what `prepare` throws, `conflict` for an endpoint, `not_found` for an account,
   *   `component_failed` with the hook's log lines when a hook fails; nothing is left behind then
   */
  deploy(
    request: DeployRequest,
    context: TaskContext,
    id = this.#options.newId('dc_'),
  ): Promise<SourceRecord> {
    return this.#saved.adding(() => this.#deploy(request, context, id));
  }

  async #deploy(request: DeployRequest, context: TaskContext, id: string): Promise<SourceRecord> {
    const { emitters, instances, store } = this.#options;
    const given = request.configured_props ?? {};
    const options = withAccounts(this.#options.prepare, request.accounts);
    const prepared = await prepare(options, id, request, given, context);
    try {
      this.#requireAccounts(prepared);
      const { id: componentId } = await this.#saved.save(prepared);
      const interfaces = reservedInterfaces(request.endpoints ?? {}, store.sources.all());
      const source = { id, componentId, name: request.name, interfaces };
      const record = await store.sources.insert(newRecord(this.#options, source, prepared));
      emitters.add(await store.ownership.take(id));
      const instance = instances.add(record.id, prepared.deployment);
      instance.starting = true;
      await instance.runner.replaceHost(prepared.host);
      if (request.hooks !== false) {
        await this.#hooks.mustSucceed(instance, 'deploy', consequence.deploy, context);
      }
      await this.#hooks.mustSucceed(instance, 'activate', consequence.deploy, context);
      await this.#endDeploy(instance);
      return instance.record;
    } catch (error) {
      prepared.host.kill('its deploy failed');
      if (store.sources.get(id) !== undefined) await this.#remove(id, 'its deploy failed');
      await this.#saved.removeUnused();
      throw error;
    }
  }

  async #endDeploy(instance: Instance): Promise<void> {
    const { emitters, store, signals, newId, now } = this.#options;
    const owner = emitters.require(instance.id);
    const subscriptions = await store.sources.endDeploy(owner, now(), () => newId('sub_'));
    instance.starting = false;
    this.#follow(instance);
    for (const subscription of subscriptions) signals.emit('subscription', subscription);
  }

  /**
   * deactivate (old code, old props) → swap → activate (new code, new props); then the name, and the
   * source is switched on or off. Cancelled before the deactivate hook, nothing has changed; from then on
   * cancelling ends the hook or runs that are waited for, and the update goes on.
   * @throws WeirError what `prepare` throws, `not_found`, `bad_input` for a name, `component_failed` when
   *   a hook fails: the new code stays in place then
   */
  update(id: string, request: UpdateRequest, context: TaskContext): Promise<SourceRecord> {
    return this.#inTurn(id, context, async (instance) => {
      if (hasOrigin(request) || request.configured_props !== undefined) {
        await this.#saved.adding(() => this.#swap(instance, request, context));
      }
      if (request.name !== undefined) {
        await this.#rename(instance, request.name);
      }
      if (request.active !== undefined && request.active !== instance.record.active) {
        if (request.active) await this.#activate(instance, context);
        else await this.#deactivate(instance, context);
      }
      return instance.record;
    });
  }

  /**
   * Resolves when the source and everything that belongs to it is gone. Cancelled, it stays; a deactivate
   * hook that goes on is ended.
   * @throws WeirError `not_found`, `component_failed` when the deactivate hook fails, unless that is to
   *   be ignored
   */
  delete(id: string, ignoreHookErrors: boolean, context: TaskContext): Promise<void> {
    return this.#inTurn(id, context, async (instance) => {
      const { runner } = instance;
      if (signsOff(instance)) {
        try {
          await this.#endRuns(instance, drainMs, 'the source is being deleted', context);
          const failure = await this.#signOff(instance, consequence.delete, context);
          if (failure !== undefined && !ignoreHookErrors) throw failure;
          context.signal.throwIfAborted();
        } catch (error) {
          // It stays, and what waits is run.
          runner.resume();
          throw error;
        }
      }
      await this.#remove(id, 'the source was deleted');
      await this.#saved.removeUnused();
    });
  }

  /** Takes the source away, with everything that belongs to it, and tells listeners. */
  async #remove(id: string, reason: string): Promise<void> {
    const { store, timers, emitters, instances, invocations, signals } = this.#options;
    timers.remove(id);
    instances.remove(id, reason);
    invocations.commitNow();
    emitters.remove(id);
    const subscriptions = await store.sources.delete(id);
    for (const subscription of subscriptions) signals.emit('subscriptionDeleted', subscription);
    signals.emit('emitterDeleted', id);
  }

  /**
   * Starts a fresh process of the same code, once the runs in flight have ended.
   * @returns false when one does not end in time: then its process stays
   */
  restart(id: string): Promise<boolean> {
    return this.#perSource.run(id, async () => {
      const { runner } = this.#instance(id);
      runner.pause();
      try {
        await runner.drain(drainMs);
        if (runner.host !== undefined && runner.host.inFlight > 0) return false;
        await runner.restart();
        return true;
      } finally {
        runner.resume();
      }
    });
  }

  /**
   * Changes the db of a source between two runs (P9.12). Resolves when the change is on disk.
   * @param change what to write, given what is there; when it throws nothing is written
   * @throws WeirError `not_found`; `conflict` while a run or hook goes on that does not end soon
   */
  editDb(id: string, change: (db: DbMemory) => readonly DbWrite[]): Promise<void> {
    return this.#perSource.run(id, async () => {
      const { record, runner } = this.#instance(id);
      const { emitters, invocations, store, signals } = this.#options;
      runner.pause();
      try {
        await runner.drain(editWaitMs);
        if (!runner.isResting) {
          throw new WeirError(
            'conflict',
            `A run of ${record.name} is going on, and its db can only be changed between runs: wait for its end or stop it, then try again.`,
          );
        }
        const emitter = emitters.require(id);
        const writes = change(emitter.db);
        // Runs that ended in this turn are written first.
        invocations.commitNow();
        await store.writeDb(emitter, writes);
        emitter.db.apply(writes).stored();
        runner.reconfigure();
      } finally {
        runner.resume();
      }
      signals.emit('source', id);
    });
  }

  /** The credentials of an account are others, or gone: the runs that begin from now on read them. */
  accountChanged(accountId: string): void {
    for (const { record, runner } of this.#options.instances.all()) {
      if (accountIds(record.configuredProps).includes(accountId)) runner.reconfigure();
    }
  }

  async #swap(instance: Instance, request: UpdateRequest, context: TaskContext): Promise<void> {
    const prepared = await this.#prepareUpdate(instance.record, request, context);
    try {
      this.#requireAccounts(prepared);
      const { id: componentId } = await this.#saved.save(prepared);
      const reason = 'the source was updated';
      await this.#endRuns(instance, drainLimitMs(instance), reason, context);
      if (signsOff(instance)) {
        // A failed clean-up by the old code must not keep the new code out (P12.7).
        const failure = await this.#signOff(instance, 'The update goes on.', context);
        if (failure !== undefined) this.#options.log('warn', failure.message);
        // Requests that arrived beside the hook. The old code has signed off, so the new code has to start: cancelling
        // ends them.
        await this.#awaitRuns(instance, drainLimitMs(instance), context).catch(() => undefined);
        await instance.runner.cancelInFlight(reason);
      }
      instance.deployment = prepared.deployment;
      // From the record of now: its timers have ticked meanwhile.
      await this.#save(
        instance,
        updatedRecord(this.#options, instance.record, componentId, prepared),
      );
    } catch (error) {
      prepared.host.kill('the update failed');
      instance.runner.resume();
      throw error;
    }
    await instance.runner.replaceHost(prepared.host);
    instance.runner.resume();
    await this.#saved.removeUnused();
    if (!instance.record.active) return;
    const failure = await this.#hooks.run(instance, 'activate', consequence.update, context);
    if (failure !== undefined) throw failure;
  }

  #prepareUpdate(
    before: SourceRecord,
    request: UpdateRequest,
    context: TaskContext,
  ): Promise<PreparedComponent> {
    const { sealer, prepare: options } = this.#options;
    const stored = openProps(before.configuredProps, sealer);
    const { accounts } = request;
    const isOther = hasOrigin(request);
    // Its own code keeps its accounts; other code has those only that it may use.
    const configured = isOther && accounts ? withoutOthers(stored, accounts) : stored;
    const allowed = isOther ? accounts : accounts && [...accounts, ...accountIds(stored)];
    const merged = mergeConfigured(before.definition, configured, request.configured_props ?? {});
    const origin: Origin = isOther ? request : { component_id: before.componentId };
    return prepare(withAccounts(options, allowed), before.id, origin, merged, context);
  }

  async #activate(instance: Instance, context: TaskContext): Promise<void> {
    instance.starting = true;
    try {
      await this.#hooks.mustSucceed(instance, 'activate', consequence.activate, context);
      await this.#save(instance, { active: true });
    } finally {
      instance.starting = false;
    }
  }

  async #deactivate(instance: Instance, context: TaskContext): Promise<void> {
    const { runner, id } = instance;
    const { timers } = this.#options;
    timers.remove(id);
    try {
      await this.#endRuns(instance, drainMs, 'the source was switched off', context);
    } catch (error) {
      // Cancelled: it stays switched on.
      timers.set(id, instance.record.interfaces);
      runner.resume();
      throw error;
    }
    try {
      runner.cancelWaiting();
      const failure = await this.#signOff(instance, consequence.deactivate, context);
      const interfaces = instance.record.interfaces.map(({ nextAt: _, ...rest }) => rest);
      await this.#save(instance, { active: false, interfaces });
      // Runs that arrived while the hook ran.
      runner.cancelWaiting();
      if (failure !== undefined) throw failure;
    } finally {
      runner.resume();
    }
  }

  /**
   * The runs in flight may end, and are cancelled when they take too long, so that none keeps the
   * deactivate hook from its process (P12.19, P12.22). Runs are held back until the runner is told to
   * resume, also when it throws.
   */
  async #endRuns(
    instance: Instance,
    graceMs: number,
    reason: string,
    context: TaskContext,
  ): Promise<void> {
    await this.#awaitRuns(instance, graceMs, context);
    await instance.runner.cancelInFlight(reason);
  }

  /** Says what it waits for. Throws the signal's reason when the task is cancelled. */
  async #awaitRuns(
    { record, runner }: Instance,
    graceMs: number,
    context: TaskContext,
  ): Promise<void> {
    runner.pause();
    const inFlight = runner.host?.inFlight ?? 0;
    if (inFlight > 0) {
      const what = inFlight === 1 ? 'a run' : `${inFlight} runs`;
      const why = runner.host?.inspected === true ? ', which a debugger may hold up' : '';
      context.progress(`Waiting for ${what} of ${record.name} to end${why}`);
    }
    await unlessAborted(context.signal, runner.drain(graceMs));
  }

  /** After the changes of the source that were asked for before, unless it is cancelled meanwhile. */
  async #inTurn<T>(
    id: string,
    context: TaskContext,
    task: (instance: Instance) => Promise<T>,
  ): Promise<T> {
    if (this.#perSource.isBusy(id)) {
      context.progress(`Waiting for another change of ${this.#instance(id).record.name} to end`);
    }
    return this.#perSource.run(id, () => task(this.#instance(id)), context.signal);
  }

  /** Runs the deactivate hook. The third party may call back, so requests continue beside it. */
  #signOff(
    instance: Instance,
    afterFailure: string,
    context: TaskContext,
  ): Promise<WeirError | undefined> {
    instance.runner.resumeHttp();
    return this.#hooks.run(instance, 'deactivate', afterFailure, context);
  }

  /** Saves a change of the record, then updates its endpoints and timers and tells listeners. */
  async #save(instance: Instance, change: Partial<SourceRecord>): Promise<void> {
    const record: SourceRecord = { ...instance.record, ...change, updatedAt: this.#options.now() };
    await this.#options.store.sources.replace(record);
    this.#follow(instance);
  }

  /** The slug follows the name (P21.4). Throws `bad_input` for a name that is blank. */
  async #rename(instance: Instance, name: string): Promise<void> {
    const { store, now } = this.#options;
    await store.sources.rename(instance.id, name, slugOf(name, instance.id), now());
    this.#follow(instance);
  }

  /** Lets the interfaces and listeners follow a record that has changed on disk. */
  #follow(instance: Instance): void {
    const { instances, timers, signals } = this.#options;
    const { id, active, interfaces } = instance.record;
    instances.changed(instance);
    if (active) timers.set(id, interfaces);
    signals.emit('source', id);
  }

  /** Throws `not_found` for an account that does not exist. */
  #requireAccounts({ configured }: PreparedComponent): void {
    for (const id of accountIds(configured)) this.#options.accounts.get(id);
  }

  #instance(id: string): Instance {
    const instance = this.#options.instances.get(id);
    if (instance === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return instance;
  }
}

/** It is active and has a deactivate hook. */
function signsOff({ record }: Instance): boolean {
  return record.active && record.definition.hooks.includes('deactivate');
}

/** How long an update waits for the runs in flight, in ms: practically without limit while one is debugged. */
function drainLimitMs({ runner }: Instance): number {
  return runner.host?.inspected === true ? debuggedDrainMs : drainMs;
}
