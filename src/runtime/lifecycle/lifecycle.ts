/**
 * deploy · update · activate · deactivate · delete: the states of a deployed source and the exact
 * order of its hooks (seed "States and transitions", reference §4.1).
 */
import { WeirError } from '../../protocol/errors.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import { openProps } from '../accounts/secret-props.ts';
import type { Components } from '../components/deployment.ts';
import { mergeConfigured } from '../props/configured.ts';
import type { Invocations } from '../invocations/invocations.ts';
import type { Log } from '../log.ts';
import type { Signals } from '../signals.ts';
import type { SourceRecord } from '../store/domain/sources.ts';
import type { Store } from '../store/store.ts';
import type { Timers } from '../triggers/timers.ts';
import { accountIds } from './configuration.ts';
import { Hooks } from './hooks.ts';
import type { Instance, Instances } from './instances.ts';
import { hasOrigin, type Origin } from './origin.ts';
import { prepare, type Prepared, type PrepareOptions, type Steps } from './prepare.ts';
import { newRecord, renamed, updatedRecord } from './records.ts';
import { reservedInterfaces } from './reserved-endpoints.ts';
import { SavedCode } from './saved-code.ts';
import { Serialise } from './serialise.ts';

export interface LifecycleOptions {
  readonly store: Store;
  readonly signals: Signals;
  readonly components: Components;
  readonly instances: Instances;
  readonly invocations: Invocations;
  readonly accounts: Accounts;
  readonly sealer: Sealer;
  readonly timers: Timers;
  readonly prepare: PrepareOptions;
  readonly newId: (prefix: 'dc_' | 'sc_' | 'hi_' | 'ti_') => string;
  readonly now: () => number;
  readonly log: Log;
}

export interface DeployRequest extends Origin {
  readonly name?: string | undefined;
  readonly configured_props?: Readonly<Record<string, unknown>> | undefined;
  /** Ids of endpoints that were told before, by prop. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
  /** False leaves the deploy hook out. */
  readonly hooks?: boolean | undefined;
}

export interface UpdateRequest extends Origin {
  readonly name?: string | undefined;
  /** Merged over what is configured; null takes a value away. */
  readonly configured_props?: Readonly<Record<string, unknown>> | undefined;
  readonly active?: boolean | undefined;
}

/** How long runs in flight may go on before an update goes over them. */
const drainMs = 10_000;
const debuggedDrainMs = 24 * 3600_000;
/** What stands when a hook has failed. */
const consequence = {
  deploy: 'Nothing was deployed.',
  update: 'The new code is in place; fix it and update again.',
  activate: 'The source stays switched off.',
  deactivate: 'The source is switched off all the same.',
  delete: 'Nothing was deleted; delete again ignoring hook errors to remove it anyway.',
} as const;

export class Lifecycle {
  readonly #o: LifecycleOptions;
  readonly #hooks: Hooks;
  readonly #code: SavedCode;
  readonly #serialise = new Serialise();

  constructor(options: LifecycleOptions) {
    this.#o = options;
    this.#hooks = new Hooks(options.invocations);
    this.#code = new SavedCode(options);
  }

  /** Lets the timers of what was restored tick: once the endpoints can be reached. */
  startTimers(): void {
    for (const { record } of this.#o.instances.all()) {
      if (record.active) this.#o.timers.set(record.id, record.interfaces);
    }
  }

  /** Rejects with 422 and the hook's observations when a hook fails; then nothing is left behind. */
  async deploy(
    request: DeployRequest,
    steps: Steps,
    id = this.#o.newId('dc_'),
  ): Promise<SourceRecord> {
    const { instances, store } = this.#o;
    const given = request.configured_props ?? {};
    const prepared = await prepare(this.#o.prepare, id, request, given, steps);
    try {
      this.#requireAccounts(prepared);
      const { id: componentId } = await this.#code.save(prepared);
      const interfaces = reservedInterfaces(request.endpoints ?? {}, store.sources.all());
      const source = { id, componentId, name: request.name, interfaces };
      const record = newRecord(this.#o, source, prepared, store.sources.slugs());
      await store.sources.insert(record);
      const instance = instances.add(record, prepared.deployment);
      instance.starting = true;
      await instance.live.replaceHost(prepared.host, 0);
      if (request.hooks !== false) {
        await this.#hooks.mustSucceed(instance, 'deploy', consequence.deploy, steps);
      }
      await this.#hooks.mustSucceed(instance, 'activate', consequence.deploy, steps);
      await this.#save(instance, { deploying: false, active: true });
      instance.starting = false;
      return instance.record;
    } catch (error) {
      prepared.host.kill('its deploy failed');
      instances.remove(id, 'its deploy failed');
      this.#o.invocations.commitNow();
      await store.sources.delete(id);
      await this.#code.removeUnused();
      throw error;
    }
  }

  /** deactivate (old code, old props) → swap → activate (new code, new props). */
  update(id: string, request: UpdateRequest, steps: Steps): Promise<SourceRecord> {
    return this.#serialise.run(id, async () => {
      const instance = this.#instance(id);
      if (hasOrigin(request) || request.configured_props !== undefined) {
        await this.#swap(instance, request, steps);
      }
      if (request.name !== undefined) {
        const slugs = this.#o.store.sources.slugs();
        await this.#save(instance, renamed(instance.record, request.name, slugs));
      }
      if (request.active !== undefined && request.active !== instance.record.active) {
        if (request.active) await this.#activate(instance, steps);
        else await this.#deactivate(instance, steps);
      }
      return instance.record;
    });
  }

  /** Rejects with 422 when the deactivate hook fails, unless told to ignore it. */
  delete(id: string, ignoreHookErrors: boolean, steps: Steps): Promise<void> {
    return this.#serialise.run(id, async () => {
      const instance = this.#instance(id);
      const { store, timers, instances, invocations, signals } = this.#o;
      if (instance.record.active) {
        const failure = await this.#hooks.run(instance, 'deactivate', consequence.delete, steps);
        if (failure !== undefined && !ignoreHookErrors) throw failure;
      }
      timers.remove(id);
      instances.remove(id, 'the source was deleted');
      invocations.commitNow();
      const all = store.subscriptions.all();
      const gone = all.filter((one) => one.emitterId === id || one.listenerId === id);
      await store.sources.delete(id);
      await this.#code.removeUnused();
      for (const subscription of gone) signals.emit('subscriptionDeleted', subscription.id);
      signals.emit('sourceDeleted', id);
    });
  }

  /**
   * Starts a fresh process of the same code, once the runs in flight have ended.
   * @returns false when one goes on and on: then its process stays
   */
  restart(id: string): Promise<boolean> {
    return this.#serialise.run(id, async () => {
      const { live } = this.#instance(id);
      live.pause();
      try {
        await live.drain(drainMs);
        if (live.host !== undefined && live.host.inFlight > 0) return false;
        await live.restart();
        return true;
      } finally {
        live.resume();
      }
    });
  }

  async #swap(instance: Instance, request: UpdateRequest, steps: Steps): Promise<void> {
    const before = instance.record;
    const prepared = await this.#prepareUpdate(before, request, steps);
    try {
      this.#requireAccounts(prepared);
      const { id: componentId } = await this.#code.save(prepared);
      instance.live.pause();
      await instance.live.drain(patience(instance));
      if (before.active) {
        // What the old code could not undo must not keep the new code out (reference §4.2).
        const failure = await this.#hooks.run(instance, 'deactivate', 'The update goes on.', steps);
        if (failure !== undefined) this.#o.log('warn', failure.message);
      }
      instance.deployment = prepared.deployment;
      await this.#save(instance, updatedRecord(this.#o, before, componentId, prepared));
    } catch (error) {
      prepared.host.kill('the update failed');
      instance.live.resume();
      throw error;
    }
    await instance.live.replaceHost(prepared.host, 0);
    instance.live.resume();
    await this.#code.removeUnused();
    if (!instance.record.active) return;
    const failure = await this.#hooks.run(instance, 'activate', consequence.update, steps);
    if (failure !== undefined) throw failure;
  }

  #prepareUpdate(before: SourceRecord, request: UpdateRequest, steps: Steps): Promise<Prepared> {
    const { sealer, prepare: options } = this.#o;
    const configured = openProps(before.configuredProps, sealer);
    const merged = mergeConfigured(before.definition, configured, request.configured_props ?? {});
    const origin: Origin = hasOrigin(request) ? request : { component_id: before.componentId };
    return prepare(options, before.id, origin, merged, steps);
  }

  async #activate(instance: Instance, steps: Steps): Promise<void> {
    instance.starting = true;
    try {
      await this.#hooks.mustSucceed(instance, 'activate', consequence.activate, steps);
      await this.#save(instance, { active: true });
    } finally {
      instance.starting = false;
    }
  }

  async #deactivate(instance: Instance, steps: Steps): Promise<void> {
    await instance.live.drain(drainMs);
    const failure = await this.#hooks.run(instance, 'deactivate', consequence.deactivate, steps);
    this.#o.timers.remove(instance.record.id);
    const interfaces = instance.record.interfaces.map(({ nextAt: _, ...rest }) => rest);
    await this.#save(instance, { active: false, interfaces });
    if (failure !== undefined) throw failure;
  }

  /** Saves a change of the record, then lets its interfaces and listeners follow. */
  async #save(instance: Instance, change: Partial<SourceRecord>): Promise<void> {
    const record: SourceRecord = { ...instance.record, ...change, updatedAt: this.#o.now() };
    await this.#o.store.sources.replace(record);
    this.#o.instances.changed(instance, record);
    if (record.active) this.#o.timers.set(record.id, record.interfaces);
    this.#o.signals.emit('source', record.id);
  }

  /** Throws `not_found` for an account that does not exist. */
  #requireAccounts({ configured }: Prepared): void {
    for (const id of accountIds(configured)) this.#o.accounts.get(id);
  }

  #instance(id: string): Instance {
    const instance = this.#o.instances.get(id);
    if (instance === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return instance;
  }
}

/** How long the runs of a source may go on, in ms: as long as it takes where a person looks at one. */
function patience({ live }: Instance): number {
  return live.host?.inspected === true ? debuggedDrainMs : drainMs;
}
