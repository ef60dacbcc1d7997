import { AsyncLocalStorage } from 'node:async_hooks';
import type { Invocation } from './invocation.ts';

/** Which invocation the running code belongs to: across awaits, timers, sockets and uncaught errors. */
export class CurrentInvocation {
  /** For code that belongs to no invocation: the module while it loads, and what outlives its run. */
  readonly background: Invocation;
  readonly #inFlight = new Map<number, Invocation>();
  readonly #storage = new AsyncLocalStorage<Invocation>();

  constructor(background: Invocation) {
    this.background = background;
  }

  run<T>(invocation: Invocation, work: () => T): T {
    this.#inFlight.set(invocation.n, invocation);
    return this.#storage.run(invocation, work);
  }

  end(invocation: Invocation): void {
    invocation.end();
    this.#inFlight.delete(invocation.n);
  }

  /** The background when the code belongs to no invocation, or to one that has ended. */
  get(): Invocation {
    const invocation = this.#storage.getStore();
    return invocation === undefined || invocation.ended ? this.background : invocation;
  }

  /** True when the running code belongs to an invocation that has ended. */
  get hasEnded(): boolean {
    return this.#storage.getStore()?.ended === true;
  }

  /**
   * The invocation that an exit or an uncaught error is attributed to: the one that the code belongs
   * to, or the only one in flight (Node 20 forgets the context of a microtask that throws). Null when
   * it cannot be known.
   */
  get responsible(): Invocation | null {
    const invocation = this.get();
    if (invocation !== this.background) return invocation;
    if (this.hasEnded || this.#inFlight.size !== 1) return null;
    return this.#inFlight.values().next().value ?? null;
  }
}
