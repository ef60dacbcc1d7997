/** The deployed sources in memory: their code, their runner, their endpoints. */
import type { HostConfiguration } from '../../protocol/host.ts';
import type { Deployment } from '../components/deployments/deployment.ts';
import type { Host } from '../processes/host.ts';
import type { IdleProcesses } from '../processes/idle-processes.ts';
import { WeirError } from '../../protocol/errors.ts';
import { Runner } from '../events/runs/runner.ts';
import type { Gate } from '../events/runs/probation.ts';
import type { WorkHold } from '../events/work-hold.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { UsesStore } from '../store/store.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';
import type { AppHook } from './apphooks/app-hooks.ts';
import { appHooksOf } from './app-hooks-of.ts';
import { httpEndpointsOf } from './http-endpoints.ts';
import type { BaseServices } from '../base/services.ts';

export interface Instance {
  readonly id: string;
  /** Its current record in the configuration. Throws `not_found` once the source is deleted. */
  readonly record: SourceRecord;
  deployment: Deployment;
  readonly runner: Runner;
  /** While true its runs are taken although it is not active yet: hooks are running. */
  starting: boolean;
}

export interface InstancesOptions extends UsesStore<'sources'>, Pick<BaseServices, 'clock'> {
  /** Starts a process of the instance's code. */
  readonly openHost: (instance: Instance, signal: AbortSignal) => Promise<Host>;
  /** Props in the clear, accounts, endpoints, db. */
  readonly configuration: (record: SourceRecord) => HostConfiguration;
  /** See `RunnerOptions`. */
  readonly refreshExpiring?: (record: SourceRecord) => Promise<void> | undefined;
  readonly httpConcurrency: number;
  /** See `RunnerOptions`. */
  readonly gate?: Gate | undefined;
  /** See `RunnerOptions`. */
  readonly hold?: Pick<WorkHold, 'isHeld'> | undefined;
  readonly idleMs: number;
  /** See `RunnerOptions`. */
  readonly idleProcesses: IdleProcesses;
}

export class Instances {
  readonly #options: InstancesOptions;
  readonly #byId = new Map<string, Instance>();
  readonly #endpoints = new Map<
    string,
    { readonly instance: Instance; readonly endpoint: Endpoint }
  >();

  constructor(options: InstancesOptions) {
    this.#options = options;
  }

  /** @param id of a source in the configuration */
  add(id: string, deployment: Deployment): Instance {
    const { store } = this.#options;
    const runner: Runner = new Runner({
      openHost: (signal) => this.#options.openHost(instance, signal),
      configuration: () => this.#options.configuration(instance.record),
      freshen: () => {
        const record = store.sources.get(id);
        return record && this.#options.refreshExpiring?.(record);
      },
      httpConcurrency: this.#options.httpConcurrency,
      gate: this.#options.gate,
      hold: this.#options.hold,
      clock: this.#options.clock,
      idleMs: this.#options.idleMs,
      idleProcesses: this.#options.idleProcesses,
      emitterId: id,
    });
    const instance: Instance = {
      id,
      get record() {
        const record = store.sources.get(id);
        if (record !== undefined) return record;
        throw new WeirError('not_found', `There is no source ${id}.`);
      },
      deployment,
      runner,
      starting: false,
    };
    this.#byId.set(id, instance);
    this.#mapEndpoints(instance);
    return instance;
  }

  get(id: string): Instance | undefined {
    return this.#byId.get(id);
  }

  all(): Instance[] {
    return [...this.#byId.values()];
  }

  /** The record changed on disk: its endpoints may have, too. */
  changed(instance: Instance): void {
    this.#mapEndpoints(instance);
  }

  remove(id: string, reason: string): void {
    const instance = this.#byId.get(id);
    if (instance === undefined) return;
    this.#byId.delete(id);
    this.#unmapEndpoints(instance);
    instance.runner.close(reason);
  }

  /** Its runner, unless it is switched off. */
  running(id: string): Runner | undefined {
    const instance = this.#byId.get(id);
    return instance !== undefined && takesRuns(instance) ? instance.runner : undefined;
  }

  /** By `hi_…`; undefined when unknown or switched off. */
  endpoint(interfaceId: string): Endpoint | undefined {
    const found = this.#endpoints.get(interfaceId);
    return found !== undefined && takesRuns(found.instance) ? found.endpoint : undefined;
  }

  /** App hooks of the sources that accept runs. */
  appHooks(): AppHook[] {
    return this.all()
      .filter(takesRuns)
      .flatMap(({ record }) => appHooksOf(record));
  }

  #mapEndpoints(instance: Instance): void {
    this.#unmapEndpoints(instance);
    for (const [id, endpoint] of httpEndpointsOf(instance.record)) {
      this.#endpoints.set(id, { instance, endpoint });
    }
  }

  #unmapEndpoints(instance: Instance): void {
    for (const [id, found] of this.#endpoints) {
      if (found.instance === instance) this.#endpoints.delete(id);
    }
  }
}

/**
 * A third party verifies an endpoint while the activate hook still waits for its answer
 * (P12.9), so a source takes runs from the moment its hooks start.
 */
function takesRuns(instance: Instance): boolean {
  return instance.record.active || instance.starting;
}
