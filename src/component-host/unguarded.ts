/**
 * Work whose failure nobody catches while a debugger looks on. V8 calls an error "uncaught" only when
 * no handler waits anywhere for its promise; with ours there, a debugger that is to stop at uncaught
 * exceptions would never stop in component code.
 */
export class Unguarded {
  readonly #failed = new WeakMap<Promise<unknown>, (reason: unknown) => void>();

  /** `failed` is told when Node reports that the promise was rejected and has no handler. */
  leave(work: Promise<unknown>, failed: (reason: unknown) => void): void {
    this.#failed.set(work, failed);
  }

  /** @returns false for a promise that was not left here */
  take(rejected: Promise<unknown>, reason: unknown): boolean {
    const failed = this.#failed.get(rejected);
    failed?.(reason);
    return failed !== undefined;
  }
}
