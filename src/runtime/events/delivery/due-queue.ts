interface Entry<T> {
  at: number;
  readonly value: T;
}

/** Values with the time each is due, the earliest first: a binary heap, as a dead target fills it. */
export class DueQueue<T> {
  readonly #heap: Entry<T>[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** When the earliest is due. */
  get nextAt(): number | undefined {
    return this.#heap[0]?.at;
  }

  push(at: number, value: T): void {
    const heap = this.#heap;
    const entry = { at, value };
    let hole = heap.length;
    heap.push(entry);
    while (hole > 0) {
      const parentIndex = (hole - 1) >> 1;
      const parent = heap[parentIndex];
      if (parent === undefined || parent.at <= at) break;
      heap[hole] = parent;
      hole = parentIndex;
    }
    heap[hole] = entry;
  }

  /** Takes out the earliest if it is due. */
  take(now: number): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.at > now) return undefined;
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.#sink(last);
    return first.value;
  }

  /** All are due so much earlier. */
  advance(ms: number): void {
    for (const entry of this.#heap) entry.at -= ms;
  }

  /** Puts an entry at the root and lets it sink to its place. */
  #sink(entry: Entry<T>): void {
    const heap = this.#heap;
    let hole = 0;
    for (;;) {
      const left = heap[2 * hole + 1];
      const right = heap[2 * hole + 2];
      const isRight = right !== undefined && left !== undefined && right.at < left.at;
      const child = isRight ? right : left;
      if (child === undefined || child.at >= entry.at) break;
      heap[hole] = child;
      hole = 2 * hole + (isRight ? 2 : 1);
    }
    heap[hole] = entry;
  }
}
