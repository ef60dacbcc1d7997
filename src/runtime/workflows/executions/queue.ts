/**
 * Decides which of a workflow's executions is next: workers, throttle, queue size, and one at a time of each key
 * (P25.60, P25.61, P25.62). Time is passed in.
 */
import type { WorkflowSettings } from '../../../protocol/workflow.ts';
import { type Gate, openGate } from '../../events/runs/probation.ts';

export interface QueueLimits {
  /** Most that run at a time; 1: first in, first out. */
  readonly workers: number;
  /** Most that wait. */
  readonly size: number;
  /** At most `limit` new ones begin in each window of `intervalMs`; 0 holds all. */
  readonly throttle?: { readonly limit: number; readonly intervalMs: number } | undefined;
  /** An expression: executions for which it gives the same have one key. */
  readonly key?: string | undefined;
}

/** The limits of the settings, or the defaults. */
export function limitsOf(
  settings: Partial<
    Pick<WorkflowSettings, 'workers' | 'queueSize' | 'throttle' | 'concurrencyKey'>
  >,
): QueueLimits {
  const { workers = 16, queueSize: size = 10_000, throttle, concurrencyKey: key } = settings;
  return { workers, size, throttle, key };
}

/** An execution that waits for its turn. */
export interface Queued {
  readonly n: number;
  /** Of executions with the same key, one runs at a time; undefined: a key of its own. */
  readonly concurrencyKey?: string | undefined;
}

export class ExecutionQueue<T extends Queued> {
  limits: QueueLimits;
  /** Ends the wait for the throttle's next window. */
  cancelOpening: (() => void) | undefined;
  /** Executions that resume after a pause: before all that have not begun. */
  readonly #due: T[] = [];
  readonly #fresh: T[] = [];
  /** Interrupted executions: before all others. */
  readonly #cutOff: T[] = [];
  readonly #gate: Gate;
  #running = 0;
  /** Keys of the running executions. */
  readonly #held = new Set<string>();
  /** On their way here: their key is being asked for. */
  #arriving = 0;
  #window = { from: -Infinity, begun: 0 };

  /** @param gate which of them may begin */
  constructor(limits: QueueLimits, gate: Gate = openGate) {
    this.limits = limits;
    this.#gate = gate;
  }

  get isFull(): boolean {
    return this.#fresh.length + this.#arriving >= this.limits.size;
  }

  /** Some have not begun. */
  get waits(): boolean {
    return this.#cutOff.length + this.#due.length + this.#fresh.length > 0;
  }

  /** One will be pushed, or has ended: call the returned function then. */
  announce(): () => void {
    this.#arriving += 1;
    return () => {
      this.#arriving -= 1;
    };
  }

  /** In the order of the inbox. */
  push(one: T): void {
    insert(this.#fresh, one);
  }

  /** In the order of the calls. */
  pushDue(one: T): void {
    this.#due.push(one);
  }

  /** The end of a runtime cut it off, or may have: in the order of the inbox. */
  pushCutOff(one: T): void {
    insert(this.#cutOff, one);
  }

  take(n: number): T | undefined {
    for (const list of [this.#cutOff, this.#due, this.#fresh]) {
      const at = list.findIndex((one) => one.n === n);
      if (at !== -1) return list.splice(at, 1)[0];
    }
    return undefined;
  }

  /** Nothing of it begins any more. */
  close(): void {
    this.cancelOpening?.();
    this.#cutOff.length = 0;
    this.#due.length = 0;
    this.#fresh.length = 0;
  }

  /** The next one, which runs from now on until `done`. */
  start(now: number): T | undefined {
    if (this.#running >= this.limits.workers) return undefined;
    const one = this.#first(this.#cutOff) ?? this.#first(this.#due) ?? this.#nextFresh(now);
    if (one === undefined) return undefined;
    this.#running += 1;
    if (one.concurrencyKey !== undefined) this.#held.add(one.concurrencyKey);
    return one;
  }

  /** Ends an execution that `start` returned. */
  done({ concurrencyKey }: Pick<Queued, 'concurrencyKey'>): void {
    this.#running -= 1;
    if (concurrencyKey !== undefined) this.#held.delete(concurrencyKey);
  }

  /** Removes the first execution whose key no running or earlier one has. */
  #first(list: T[]): T | undefined {
    const [first] = list;
    if (first === undefined || this.#mayBegin(first)) return list.shift();
    const at = list.findIndex((one) => this.#mayBegin(one));
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  #mayBegin(one: T): boolean {
    return (this.#gate.isOpen || this.#gate.admits(one.n)) && this.#isFree(one);
  }

  #isFree({ n, concurrencyKey: key }: Queued): boolean {
    if (key === undefined) return true;
    if (this.#held.has(key)) return false;
    return !this.#cutOff.some((one) => one.concurrencyKey === key && one.n < n);
  }

  /** Epoch ms when time lets the next one begin; undefined when something else is waited for. */
  opensAt(now: number): number | undefined {
    const { throttle } = this.limits;
    if (throttle === undefined || this.#fresh.length === 0 || throttle.limit === 0)
      return undefined;
    return this.#isInWindow(now) ? undefined : this.#window.from + throttle.intervalMs;
  }

  #nextFresh(now: number): T | undefined {
    const one = this.#isInWindow(now) ? this.#first(this.#fresh) : undefined;
    if (one !== undefined) this.#count(now);
    return one;
  }

  #isInWindow(now: number): boolean {
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

/** In the order of the inbox. */
function insert<T extends Queued>(list: T[], one: T): void {
  let place = list.length;
  while (place > 0 && (list[place - 1]?.n ?? 0) > one.n) place -= 1;
  list.splice(place, 0, one);
}
