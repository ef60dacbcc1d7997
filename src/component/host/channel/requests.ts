import type { FromHost, RuntimeRequest, ToHost } from '../../../protocol/host.ts';

/**
 * Requests something of the runtime. The request is on its way when the call returns; the promise
 * settles with the runtime's reply, and rejects with its sentence.
 */
export type AskRuntime = (request: RuntimeRequest) => Promise<unknown>;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The requests that wait for the runtime's reply. */
export class RuntimeRequests {
  readonly #post: (message: FromHost) => void;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(post: (message: FromHost) => void) {
    this.#post = post;
  }

  /** How many have no reply yet. */
  get size(): number {
    return this.#pending.size;
  }

  readonly ask: AskRuntime = (request) => {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ t: 'request', id, request });
    });
  };

  settle({ id, value, error }: Extract<ToHost, { t: 'reply' }>): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(new Error(error));
  }
}
