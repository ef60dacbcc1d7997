/** Whose turn it is of one workflow's executions: workers, throttle, queue size (P25.60, P25.61). Time is told. */
import type { WorkflowSettings } from '../../../protocol/workflow.ts';

export interface QueueLimits {
  /** Most that run at a time; 1: first in, first out. */
  readonly workers: number;
  /** Most that wait. */
  readonly size: number;
  /** At most `limit` new ones begin in each window of `intervalMs`; 0 holds all. */
  readonly throttle?: { readonly limit: number; readonly intervalMs: number } | undefined;
}

/** Those of the settings; the defaults where there are none. */
export function limitsOf(
  settings: Partial<Pick<WorkflowSettings, 'workers' | 'queueSize' | 'throttle'>>,
): QueueLimits {
  const { workers = 16, queueSize: size = 10_000, throttle } = settings;
  return { workers, size, throttle };
}

export class ExecutionQueue<T extends { readonly n: number }> {
  limits: QueueLimits;
  /** Ends the wait for the throttle's next window. */
  cancelOpening: (() => void) | undefined;
  /** Those that go on after a pause: before all that have not begun. */
  readonly #due: T[] = [];
  readonly #fresh: T[] = [];
  #running = 0;
  #window = { from: -Infinity, begun: 0 };

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get isFull(): boolean {
    return this.#fresh.length >= this.limits.size;
  }

  /** In the order of the inbox. */
  push(one: T): void {
    let place = this.#fresh.length;
    while (place > 0 && (this.#fresh[place - 1]?.n ?? 0) > one.n) place -= 1;
    this.#fresh.splice(place, 0, one);
  }

  /** In the order of the calls. */
  pushDue(one: T): void {
    this.#due.push(one);
  }

  take(n: number): T | undefined {
    for (const list of [this.#due, this.#fresh]) {
      const at = list.findIndex((one) => one.n === n);
      if (at !== -1) return list.splice(at, 1)[0];
    }
    return undefined;
  }

  /** Nothing of it begins any more. */
  close(): void {
    this.cancelOpening?.();
    this.#due.length = 0;
    this.#fresh.length = 0;
  }

  /** The next one, which runs from now on until `done`. */
  start(now: number): T | undefined {
    if (this.#running >= this.limits.workers) return undefined;
    const due = this.#due.shift();
    const one = due ?? (this.#mayBegin(now) ? this.#fresh.shift() : undefined);
    if (one === undefined) return undefined;
    if (due === undefined) this.#count(now);
    this.#running += 1;
    return one;
  }

  done(): void {
    this.#running -= 1;
  }

  /** Epoch ms when the throttle lets the next one begin; undefined when nothing but time is waited for. */
  opensAt(now: number): number | undefined {
    const { throttle } = this.limits;
    if (throttle === undefined || this.#fresh.length === 0 || throttle.limit === 0)
      return undefined;
    return this.#mayBegin(now) ? undefined : this.#window.from + throttle.intervalMs;
  }

  #mayBegin(now: number): boolean {
    const { throttle } = this.limits;
    if (throttle === undefined || this.#fresh.length === 0) return this.#fresh.length > 0;
    const { from, begun } = this.#window;
    const isOver = now - from >= throttle.intervalMs || now < from;
    return isOver ? throttle.limit > 0 : begun < throttle.limit;
  }

  #count(now: number): void {
    const { throttle } = this.limits;
    if (throttle === undefined) return;
    const { from } = this.#window;
    if (now - from >= throttle.intervalMs || now < from) this.#window = { from: now, begun: 0 };
    this.#window.begun += 1;
  }
}
