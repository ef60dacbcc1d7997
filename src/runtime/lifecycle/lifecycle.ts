/**
 * deploy · update · activate · deactivate · delete: the states of a deployed source and the exact
 * order of its hooks (seed "States and transitions", reference §4.1).
 */
import type { ErrorDetail } from '../../protocol/errors.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { HookName } from '../../protocol/host.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import { openProps, sealProps } from '../accounts/secret-props.ts';
import type { Components, Deployment } from '../components/deployment.ts';
import { mergeConfigured } from '../components/configured.ts';
import { slugify, uniqueSlug } from '../components/slug.ts';
import type { Invocations } from '../invocations/invocations.ts';
import type { Log } from '../log.ts';
import type { Committed, Signals } from '../signals.ts';
import type { ComponentRecord, SourceRecord, Store } from '../store/store.ts';
import type { Timers } from '../triggers/timers.ts';
import type { Instance, Instances } from './instances.ts';
import { interfacesOf } from './interfaces.ts';
import { accountIds } from './configuration.ts';
import { hasOrigin, type Origin } from './origin.ts';
import { prepare, type Prepared, type PrepareOptions, type Steps } from './prepare.ts';
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
const nothingDeployed = 'Nothing was deployed.';

export class Lifecycle {
  readonly #o: LifecycleOptions;
  readonly #serialise = new Serialise();

  constructor(options: LifecycleOptions) {
    this.#o = options;
  }

  /**
   * Brings back what was deployed when the runtime ended. A deploy that was cut off was never
   * acknowledged: it leaves nothing behind.
   */
  async restore(): Promise<void> {
    const { store, components, instances, log } = this.#o;
    const inUse = new Set<string>();
    for (const record of store.sources.all()) {
      if (record.deploying) {
        log('warn', `${record.slug}: its deploy was cut off; it was removed`);
        await store.sources.delete(record.id);
        continue;
      }
      const saved = store.components.get(record.componentId);
      const deployment = saved === undefined ? undefined : await components.get(saved.hash);
      if (deployment === undefined) {
        log(
          'error',
          `${record.slug}: its code is gone from the data folder; update the source to deploy it again`,
        );
      }
      instances.add(record, deployment ?? missingDeployment(saved));
      if (deployment !== undefined) inUse.add(deployment.hash);
    }
    await components.removeAllBut(inUse);
  }

  /** Lets the timers tick: once the endpoints can be reached. */
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
    const prepared = await prepare(
      this.#o.prepare,
      id,
      request,
      request.configured_props ?? {},
      steps,
    );
    let instance: Instance | undefined;
    try {
      this.#requireAccounts(prepared.configured);
      const record = await this.#create(id, request, prepared);
      instance = instances.add(record, prepared.deployment);
      instance.starting = true;
      await instance.live.replaceHost(prepared.host, 0);
      if (request.hooks !== false)
        await this.#startHook(instance, 'deploy', nothingDeployed, steps);
      await this.#startHook(instance, 'activate', nothingDeployed, steps);
    } catch (error) {
      prepared.host.kill('its deploy failed');
      instances.remove(id, 'its deploy failed');
      await store.sources.delete(id);
      await this.#removeUnusedCode();
      throw error;
    }
    await this.#save(instance, { deploying: false, active: true });
    instance.starting = false;
    return instance.record;
  }

  /** deactivate (old code, old props) → swap → activate (new code, new props). */
  update(id: string, request: UpdateRequest, steps: Steps): Promise<SourceRecord> {
    return this.#serialise.run(id, async () => {
      const instance = this.#instance(id);
      const changesCode = hasOrigin(request) || request.configured_props !== undefined;
      if (changesCode) await this.#swap(instance, request, steps);
      if (request.name !== undefined) await this.#rename(instance, request.name);
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
      const { store, timers, instances, signals } = this.#o;
      if (instance.record.active) {
        const ended = await this.#hook(instance, 'deactivate', steps);
        if (failed(ended) && !ignoreHookErrors) {
          throw hookFailed(
            instance.record,
            'deactivate',
            ended,
            'Nothing was deleted; delete again ignoring hook errors to remove it anyway.',
          );
        }
      }
      timers.remove(id);
      instances.remove(id, 'the source was deleted');
      const gone = store.subscriptions
        .all()
        .filter((one) => [one.emitterId, one.listenerId].includes(id));
      await store.sources.delete(id);
      await this.#removeUnusedCode();
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

  async #create(id: string, request: DeployRequest, prepared: Prepared): Promise<SourceRecord> {
    const { store, sealer, newId, now } = this.#o;
    const { definition, configured } = prepared;
    const name = request.name ?? definition.name;
    const component = await this.#saveComponent(prepared);
    const slug = uniqueSlug(
      slugify(name) === '' ? id.toLowerCase().replace('_', '-') : slugify(name),
      store.sources.slugs(),
    );
    const record: SourceRecord = {
      id,
      componentId: component.id,
      name,
      slug,
      deploying: true,
      active: false,
      configuredProps: sealProps(definition, configured, sealer),
      definition,
      interfaces: interfacesOf(definition, configured, [], newId),
      createdAt: now(),
      updatedAt: now(),
    };
    await store.sources.insert(record);
    return record;
  }

  async #swap(instance: Instance, request: UpdateRequest, steps: Steps): Promise<void> {
    const { store, sealer, newId, instances, timers } = this.#o;
    const before = instance.record;
    const configuredBefore = openProps(before.configuredProps, sealer);
    const merged = mergeConfigured(
      before.definition,
      configuredBefore,
      request.configured_props ?? {},
    );
    const origin: Origin = hasOrigin(request) ? request : { component_id: before.componentId };
    const prepared = await prepare(this.#o.prepare, before.id, origin, merged, steps);
    try {
      this.#requireAccounts(prepared.configured);
      const component = await this.#saveComponent(prepared);
      instance.live.pause();
      await instance.live.drain(drainMs);
      if (before.active) {
        const ended = await this.#hook(instance, 'deactivate', steps);
        if (failed(ended))
          this.#o.log('warn', `${before.slug}: its old deactivate hook failed; the update goes on`);
      }
      const record: SourceRecord = {
        ...before,
        componentId: component.id,
        definition: prepared.definition,
        configuredProps: sealProps(prepared.definition, prepared.configured, sealer),
        interfaces: interfacesOf(
          prepared.definition,
          prepared.configured,
          before.interfaces,
          newId,
        ),
        updatedAt: this.#o.now(),
      };
      await store.sources.replace(record);
      instance.deployment = prepared.deployment;
      instances.changed(instance, record);
      if (record.active) timers.set(record.id, record.interfaces);
    } catch (error) {
      prepared.host.kill('the update failed');
      instance.live.resume();
      throw error;
    }
    await instance.live.replaceHost(prepared.host, 0);
    instance.live.resume();
    this.#o.signals.emit('source', before.id);
    await this.#removeUnusedCode();
    if (instance.record.active) {
      const ended = await this.#hook(instance, 'activate', steps);
      if (failed(ended))
        throw hookFailed(
          instance.record,
          'activate',
          ended,
          'The new code is in place; fix it and update again.',
        );
    }
  }

  async #rename(instance: Instance, name: string): Promise<void> {
    const taken = this.#o.store.sources.slugs();
    taken.delete(instance.record.slug);
    const slug = slugify(name);
    if (slug === '')
      throw new WeirError(
        'bad_input',
        `The name "${name}" has no letter or digit to make a slug of.`,
      );
    await this.#save(instance, { name, slug: uniqueSlug(slug, taken) });
  }

  async #activate(instance: Instance, steps: Steps): Promise<void> {
    instance.starting = true;
    try {
      await this.#startHook(instance, 'activate', 'The source stays switched off.', steps);
      await this.#save(instance, { active: true });
    } finally {
      instance.starting = false;
    }
  }

  async #deactivate(instance: Instance, steps: Steps): Promise<void> {
    await instance.live.drain(drainMs);
    const ended = await this.#hook(instance, 'deactivate', steps);
    this.#o.timers.remove(instance.record.id);
    const interfaces = instance.record.interfaces.map(({ nextAt: _, ...rest }) => rest);
    await this.#save(instance, { active: false, interfaces });
    if (failed(ended))
      throw hookFailed(
        instance.record,
        'deactivate',
        ended,
        'The source is switched off all the same.',
      );
  }

  /** Saves a change of the record, then lets its interfaces and listeners follow. */
  async #save(instance: Instance, change: Partial<SourceRecord>): Promise<void> {
    const record: SourceRecord = { ...instance.record, ...change, updatedAt: this.#o.now() };
    await this.#o.store.sources.replace(record);
    this.#o.instances.changed(instance, record);
    if (record.active) this.#o.timers.set(record.id, record.interfaces);
    this.#o.signals.emit('source', record.id);
  }

  /** A hook that has to succeed and that the caller may cancel. */
  async #startHook(
    instance: Instance,
    hook: HookName,
    consequence: string,
    steps: Steps,
  ): Promise<void> {
    const cancel = () => instance.live.host?.kill('cancelled');
    steps.signal.addEventListener('abort', cancel, { once: true });
    try {
      const ended = await this.#hook(instance, hook, steps);
      steps.signal.throwIfAborted();
      if (failed(ended)) throw hookFailed(instance.record, hook, ended, consequence);
    } finally {
      steps.signal.removeEventListener('abort', cancel);
    }
  }

  /** A hook the component does not have takes no invocation. */
  async #hook(instance: Instance, hook: HookName, steps: Steps): Promise<Committed | undefined> {
    if (!instance.record.definition.hooks.includes(hook)) return undefined;
    steps.progress(`Running the ${hook} hook`);
    return this.#o.invocations.hook(instance.record.id, hook);
  }

  async #saveComponent(prepared: Prepared): Promise<ComponentRecord> {
    const { store, newId, now } = this.#o;
    const { hash, path } = prepared.deployment;
    const found = store.components.find(hash, path);
    if (found !== undefined) return found;
    const record = {
      id: newId('sc_'),
      hash,
      path,
      definition: prepared.definition,
      createdAt: now(),
    };
    await store.components.insert(record);
    return record;
  }

  async #removeUnusedCode(): Promise<void> {
    const { store, components, log } = this.#o;
    try {
      await components.remove(await store.components.removeUnused());
    } catch (error) {
      log('warn', `Old code could not be removed: ${String(error)}`);
    }
  }

  /** Throws `not_found` for an account that does not exist. */
  #requireAccounts(configured: Readonly<Record<string, unknown>>): void {
    for (const id of accountIds(configured)) this.#o.accounts.get(id);
  }

  #instance(id: string): Instance {
    const instance = this.#o.instances.get(id);
    if (instance === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return instance;
  }
}

function failed(ended: Committed | undefined): ended is Committed {
  return ended !== undefined && ended.commit.status !== 'succeeded';
}

/** 422 with what the hook logged, as the platform answers (reference §4.2). */
function hookFailed(
  record: SourceRecord,
  hook: HookName,
  ended: Committed,
  consequence: string,
): WeirError {
  const { error, logs } = ended.commit;
  const details: ErrorDetail[] = logs.map((line) => ({
    k: line.kind,
    ts: line.at,
    level: line.level,
    message: line.text,
  }));
  const why = (error?.message ?? 'it did not succeed').replace(/\.$/, '');
  return new WeirError(
    'component_failed',
    `The ${hook} hook of ${record.name} failed: ${why}. ${consequence}`,
    details,
  );
}

function missingDeployment(saved: ComponentRecord | undefined): Deployment {
  return { hash: saved?.hash ?? '', folder: '', bundle: '', path: saved?.path ?? null, inputs: [] };
}
