import { AsyncLocalStorage } from 'node:async_hooks';
import type { Invocation } from './invocation.ts';

/**
 * Which invocation the running code belongs to: across awaits, timers, sockets and uncaught errors.
 * Code that outlives its invocation belongs to none.
 */
export class Context {
  readonly outside: Invocation;
  readonly #inFlight = new Map<number, Invocation>();
  readonly #storage = new AsyncLocalStorage<Invocation>();

  constructor(outside: Invocation) {
    this.outside = outside;
  }

  run<T>(invocation: Invocation, work: () => T): T {
    this.#inFlight.set(invocation.n, invocation);
    return this.#storage.run(invocation, work);
  }

  end(invocation: Invocation): void {
    invocation.end();
    this.#inFlight.delete(invocation.n);
  }

  /** `outside` when the code belongs to no invocation, or to one that has ended. */
  get current(): Invocation {
    const invocation = this.#storage.getStore();
    return invocation === undefined || invocation.ended ? this.outside : invocation;
  }

  /** The invocation is known to have ended: what it does now is late. */
  get isLate(): boolean {
    return this.#storage.getStore()?.ended === true;
  }

  /**
   * Whom an error that nobody caught belongs to: the running invocation, or the only one there is
   * (Node 20 forgets the context of a microtask that throws). Null when it cannot be known.
   */
  get culprit(): Invocation | null {
    const current = this.current;
    if (current !== this.outside) return current;
    if (this.isLate || this.#inFlight.size !== 1) return null;
    return this.#inFlight.values().next().value ?? null;
  }
}
