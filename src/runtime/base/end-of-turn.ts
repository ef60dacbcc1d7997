/**
 * Puts off work to the end of the turn of the loop, where all of it is done in one go. What many
 * sockets brought in one turn is then read first and dealt with afterwards: each step finds its code
 * in the processor's cache, which spares a delivery a fifth of its CPU time (bench/).
 */
export class EndOfTurn {
  #waiting: (() => void)[] = [];

  add(work: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.now());
    this.#waiting.push(work);
  }

  /** Does what waits: something else must not come before it. */
  now(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const work of all) work();
  }
}
