import type { Signals } from '../events/signals.ts';
import type { SourceTable } from '../store/configuration/sources.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';
import { httpEndpointsOf } from './http-endpoints.ts';

/** The endpoints of all sources that are switched on, whichever runtime has them. */
export class ConfiguredEndpoints {
  readonly #sources: Pick<SourceTable, 'all' | 'get'>;
  readonly #byId = new Map<string, Endpoint>();
  readonly #ofSource = new Map<string, readonly string[]>();

  constructor(sources: Pick<SourceTable, 'all' | 'get'>, signals: Pick<Signals, 'on'>) {
    this.#sources = sources;
    for (const { id } of sources.all()) this.#map(id);
    signals.on('source', (id) => this.#map(id));
    signals.on('emitterDeleted', (id) => this.#map(id));
  }

  /** By `hi_…`. */
  get(id: string): Endpoint | undefined {
    return this.#byId.get(id);
  }

  #map(sourceId: string): void {
    for (const id of this.#ofSource.get(sourceId) ?? []) this.#byId.delete(id);
    this.#ofSource.delete(sourceId);
    const record = this.#sources.get(sourceId);
    if (record?.active !== true) return;
    const endpoints = httpEndpointsOf(record);
    for (const [id, endpoint] of endpoints) this.#byId.set(id, endpoint);
    this.#ofSource.set(
      sourceId,
      endpoints.map(([id]) => id),
    );
  }
}
