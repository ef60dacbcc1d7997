/** The deployed sources in memory: their record, their code, their live process, their endpoints. */
import type { HostConfiguration } from '../../protocol/host.ts';
import type { Deployment } from '../components/deployments/deployment.ts';
import type { Host } from '../hosts/host.ts';
import { LiveSource } from '../invocations/live-source.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Endpoint } from '../triggers/http/route.ts';

export interface Instance {
  record: SourceRecord;
  deployment: Deployment;
  readonly live: LiveSource;
  /** While true its runs are taken although it is not active yet: hooks are running. */
  starting: boolean;
}

export interface InstancesOptions {
  /** Starts a process of the instance's code. */
  readonly openHost: (instance: Instance) => Promise<Host>;
  /** Props in the clear, accounts, endpoints, db. */
  readonly configuration: (record: SourceRecord) => HostConfiguration;
  readonly httpConcurrency: number;
  readonly idleMs: number;
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

  add(record: SourceRecord, deployment: Deployment): Instance {
    const live: LiveSource = new LiveSource({
      openHost: () => this.#options.openHost(instance),
      configuration: () => this.#options.configuration(instance.record),
      httpConcurrency: this.#options.httpConcurrency,
      idleMs: this.#options.idleMs,
    });
    const instance: Instance = { record, deployment, live, starting: false };
    this.#byId.set(record.id, instance);
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
  changed(instance: Instance, record: SourceRecord): void {
    instance.record = record;
    this.#mapEndpoints(instance);
  }

  /** Its next tick is on disk already. */
  tickMoved(id: string, interfaceId: string, nextAt: number | undefined): void {
    const instance = this.#byId.get(id);
    if (instance === undefined) return;
    const interfaces = instance.record.interfaces.map(({ nextAt: before, ...rest }) => {
      const at = rest.id === interfaceId ? nextAt : before;
      return at === undefined ? rest : { ...rest, nextAt: at };
    });
    instance.record = { ...instance.record, interfaces };
  }

  remove(id: string, reason: string): void {
    const instance = this.#byId.get(id);
    if (instance === undefined) return;
    this.#byId.delete(id);
    this.#unmapEndpoints(instance);
    instance.live.close(reason);
  }

  /** The live source, unless it is switched off. */
  running(id: string): LiveSource | undefined {
    const instance = this.#byId.get(id);
    return instance !== undefined && takesRuns(instance) ? instance.live : undefined;
  }

  /** By `hi_…`; undefined when unknown or switched off. */
  endpoint(interfaceId: string): Endpoint | undefined {
    const found = this.#endpoints.get(interfaceId);
    return found !== undefined && takesRuns(found.instance) ? found.endpoint : undefined;
  }

  #mapEndpoints(instance: Instance): void {
    this.#unmapEndpoints(instance);
    const { record } = instance;
    for (const { id, kind, prop } of record.interfaces) {
      if (kind !== 'http') continue;
      const definition = record.definition.props.find((candidate) => candidate.name === prop);
      const customResponse = definition?.customResponse === true;
      this.#endpoints.set(id, {
        instance,
        endpoint: { sourceId: record.id, prop, customResponse },
      });
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
