import type { OnRequested } from '../../server/requested.ts';
import {
  createMetrics,
  type Metrics,
  type MetricsOptions,
  type RequestedElsewhere,
} from './metrics.ts';

/** Nothing is measured before the metrics are read for the first time. */
export class MetricsOnDemand {
  readonly #options: () => MetricsOptions;
  readonly #log: OnRequested | undefined;
  #metrics: Promise<Metrics> | undefined;
  #onRequested: OnRequested | undefined;

  /** @param log gets each request, also while nobody reads metrics */
  constructor(options: () => MetricsOptions, log: OnRequested | undefined) {
    this.#options = options;
    this.#log = log;
    this.#onRequested = log;
  }

  /** Undefined while nobody listens: then requests are not watched. */
  get onRequested(): OnRequested | undefined {
    return this.#onRequested;
  }

  /** Somebody has read them. */
  get isOn(): boolean {
    return this.#metrics !== undefined;
  }

  /** See `Metrics`. */
  requestedElsewhere(requests: readonly RequestedElsewhere[]): void {
    void this.#metrics?.then((metrics) => metrics.requestedElsewhere(requests));
  }

  async read(): Promise<{ readonly type: string; readonly text: string }> {
    const { contentType: type, text } = await (this.#metrics ??= this.#load());
    return { type, text: await text() };
  }

  async #load(): Promise<Metrics> {
    const made = await createMetrics(this.#options());
    this.#onRequested = (requested) => {
      this.#log?.(requested);
      made.requested(requested);
    };
    return made;
  }
}
