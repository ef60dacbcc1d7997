import type { Ask, FromHost, ToHost } from '../protocol/host.ts';

/** Asks the runtime for something. Rejects with the runtime's sentence. The question is on its way when it returns. */
export type AskRuntime = (ask: Ask) => Promise<unknown>;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The questions that wait for the runtime's reply. */
export class Asks {
  readonly #post: (message: FromHost) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(post: (message: FromHost) => void) {
    this.#post = post;
  }

  readonly ask: AskRuntime = (ask) => {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ t: 'ask', id, ask });
    });
  };

  reply({ id, value, error }: Extract<ToHost, { t: 'reply' }>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }
}
