/**
 * Whose turn it is of one workflow's executions: workers, throttle, queue size, and one at a time of each key
 * (P25.60, P25.61, P25.62). Time is told.
 */
import type { WorkflowSettings } from '../../../protocol/workflow.ts';

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

/** Those of the settings; the defaults where there are none. */
export function limitsOf(
  settings: Partial<
    Pick<WorkflowSettings, 'workers' | 'queueSize' | 'throttle' | 'concurrencyKey'>
  >,
): QueueLimits {
  const { workers = 16, queueSize: size = 10_000, throttle, concurrencyKey: key } = settings;
  return { workers, size, throttle, key };
}

/** What waits for its turn. */
export interface Queued {
  readonly n: number;
  readonly attempt: number;
  /** Of those with the same one runs at a time; undefined: of its own. */
  readonly concurrencyKey?: string | undefined;
}

/** So long the next one that was cut off waits for a sign of life of the last, at most. */
const patienceMs = 1000;

export class ExecutionQueue<T extends Queued> {
  limits: QueueLimits;
  /** Ends the wait for the throttle's next window. */
  cancelOpening: (() => void) | undefined;
  /** Those that go on after a pause: before all that have not begun. */
  readonly #due: T[] = [];
  readonly #fresh: T[] = [];
  /** Those that were cut off: they go on one by one, so that what ends the runtime is not counted against others. */
  readonly #cutOff: T[] = [];
  /** The last of them that began, until a step of it has ended. */
  #unproven: { readonly n: number; readonly since: number } | undefined;
  /** A step has ended since the start: the process has loaded its code. */
  #isWarm = false;
  #coldSince: number | undefined;
  #running = 0;
  /** Keys of those that run. */
  readonly #held = new Set<string>();
  /** On their way here: their key is being asked for. */
  #arriving = 0;
  #window = { from: -Infinity, begun: 0 };

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get isFull(): boolean {
    return this.#fresh.length + this.#arriving >= this.limits.size;
  }

  /** One will be pushed, or has ended: call the function then. */
  announce(): () => void {
    this.#arriving += 1;
    return () => {
      this.#arriving -= 1;
    };
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

  /** The end of a runtime cut it off, or may have: those go first, and of them those that were cut off least. */
  pushCutOff(one: T): void {
    let place = this.#cutOff.length;
    while (place > 0 && (this.#cutOff[place - 1]?.attempt ?? 0) > one.attempt) place -= 1;
    this.#cutOff.splice(place, 0, one);
  }

  /** A step of it has ended. @returns whether one that was cut off may begin now */
  cameFurther(n: number): boolean {
    const isNews = !this.#isWarm || this.#unproven?.n === n;
    this.#isWarm = true;
    if (this.#unproven?.n === n) this.#unproven = undefined;
    return isNews && this.#cutOff.length > 0;
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
    this.#coldSince ??= now;
    if (this.#running >= this.limits.workers) return undefined;
    const one = this.#nextCutOff(now) ?? this.#first(this.#due) ?? this.#nextFresh(now);
    if (one === undefined) return undefined;
    this.#running += 1;
    if (one.concurrencyKey !== undefined) this.#held.add(one.concurrencyKey);
    return one;
  }

  /** One that `start` gave. */
  done({ concurrencyKey }: Pick<Queued, 'concurrencyKey'>): void {
    this.#running -= 1;
    if (concurrencyKey !== undefined) this.#held.delete(concurrencyKey);
  }

  /** Takes out the first whose key nobody has who runs, or stands before it. */
  #first(list: T[]): T | undefined {
    const [first] = list;
    if (first === undefined || this.#isFree(first)) return list.shift();
    const at = list.findIndex((one) => this.#isFree(one));
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  #isFree({ n, concurrencyKey: key }: Queued): boolean {
    if (key === undefined) return true;
    if (this.#held.has(key)) return false;
    // Those that were cut off stand in another order than the inbox.
    return !this.#cutOff.some((one) => one.concurrencyKey === key && one.n < n);
  }

  /** Epoch ms when time lets the next one begin; undefined when something else is waited for. */
  opensAt(now: number): number | undefined {
    const times = [this.#cutOffOpensAt(now), this.#throttleOpensAt(now)];
    const known = times.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  #nextCutOff(now: number): T | undefined {
    if (this.#cutOffOpensAt(now) !== undefined) return undefined;
    const one = this.#first(this.#cutOff);
    if (one !== undefined) this.#unproven = { n: one.n, since: now };
    return one;
  }

  /** Undefined when one of them may begin now, or none waits. */
  #cutOffOpensAt(now: number): number | undefined {
    const [first] = this.#cutOff;
    if (first === undefined) return undefined;
    const { since } = this.#unproven ?? {};
    if (since !== undefined && isWithin(since, now)) return since + patienceMs;
    // Loading takes the longest: whoever was cut off before is not the one that waits for it, if others are there.
    const others = this.#due.length + this.#fresh.length + this.#running;
    const isEarly = first.attempt > 1 && this.limits.workers > 1 && others > 0 && !this.#isWarm;
    const from = this.#coldSince ?? now;
    return isEarly && isWithin(from, now) ? from + patienceMs : undefined;
  }

  #nextFresh(now: number): T | undefined {
    const one = this.#mayBegin(now) ? this.#first(this.#fresh) : undefined;
    if (one !== undefined) this.#count(now);
    return one;
  }

  #throttleOpensAt(now: number): number | undefined {
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

/** The clock may be set: then nobody waits. */
function isWithin(since: number, now: number): boolean {
  return now >= since && now - since < patienceMs;
}
