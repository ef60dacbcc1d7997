import { longestWaitMs } from '../../base/clock.ts';
import type { TimerTrigger } from '../../../protocol/host.ts';
import type { WorkHold } from '../work-hold.ts';
import type { InterfaceRecord } from '../../store/configuration/sources.ts';
import type { BaseServices } from '../../base/services.ts';
import { checkSchedule, correctedTick, nextTick, tickAfter } from '../schedules/schedule.ts';

export interface TimersOptions extends Pick<BaseServices, 'clock'> {
  /** Whether a tick may begin work. What is due while it may not ticks once, late. */
  readonly hold: Pick<WorkHold, 'isHeld' | 'onRelease'>;
  /**
   * A tick: at once, or late when nothing ran when it was due. When it ticks next has to be kept in one
   * write with it; undefined: never.
   */
  readonly fire: (sourceId: string, timer: InterfaceRecord, nextAt: number | undefined) => void;
  /** Called with a stored schedule that cannot be read any more: that timer does not tick, all others do. */
  readonly unreadable: (sourceId: string, problem: string) => void;
  /** Called with the error of `fire`, such as `store_failed`. */
  readonly failed: (sourceId: string, error: unknown) => void;
  /** While true no tick of the source is fired: two runs of one source must not share its db. */
  readonly isRunning: (sourceId: string) => boolean;
  /** Called with a tick that was skipped for that reason. */
  readonly skipped: (sourceId: string) => void;
  /**
   * The next tick has moved without a run: store it, so that it continues after a restart. Undefined: it never ticks.
   */
  readonly moved: (sourceId: string, interfaceId: string, nextAt: number | undefined) => void;
}

interface Entry {
  readonly timer: InterfaceRecord;
  nextAt: number;
}

/** Fires the timers of the active sources. One timer of the system waits for the earliest. */
export class Timers {
  readonly #options: TimersOptions;
  readonly #entries = new Map<string, Entry[]>();
  #cancel: (() => void) | undefined;
  #closed = false;
  #lastWake = -Infinity;

  constructor(options: TimersOptions) {
    this.#options = options;
    options.hold.onRelease(() => this.#wait());
  }

  /**
   * The source is active with these interfaces (others than timers may be among them). One with a
   * `nextAt` goes on with it: one run at once makes up for whatever was missed meanwhile. One without
   * ticks for the first time one interval from now.
   */
  set(sourceId: string, interfaces: readonly InterfaceRecord[]): void {
    const now = this.#options.clock.now();
    const entries: Entry[] = [];
    for (const timer of interfaces) {
      if (timer.kind !== 'timer') continue;
      const problem = checkSchedule(timer);
      if (problem !== undefined) {
        this.#options.unreadable(sourceId, problem);
        continue;
      }
      const nextAt =
        timer.nextAt === undefined ? nextTick(timer, now) : correctedTick(timer, timer.nextAt, now);
      if (nextAt !== timer.nextAt) this.#options.moved(sourceId, timer.id, nextAt);
      if (nextAt !== undefined) entries.push({ timer, nextAt });
    }
    if (entries.length === 0) this.#entries.delete(sourceId);
    else this.#entries.set(sourceId, entries);
    this.#wait();
  }

  /** The source is switched off or gone. */
  remove(sourceId: string): void {
    this.#entries.delete(sourceId);
    this.#wait();
  }

  /** Epoch ms of a source's earliest tick. */
  nextAt(sourceId: string): number | undefined {
    const times = (this.#entries.get(sourceId) ?? []).map((entry) => entry.nextAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Nothing is fired any more. */
  close(): void {
    this.#closed = true;
    this.#cancel?.();
    this.#entries.clear();
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    let earliest = Infinity;
    for (const entries of this.#entries.values()) {
      for (const { nextAt } of entries) earliest = Math.min(earliest, nextAt);
    }
    if (this.#closed || earliest === Infinity) return;
    const ms = Math.min(Math.max(0, earliest - this.#options.clock.now()), longestWaitMs);
    this.#cancel = this.#options.clock.after(ms, () => this.#wake());
  }

  #wake(): void {
    if (this.#options.hold.isHeld) return;
    const now = this.#options.clock.now();
    const setBack = now < this.#lastWake;
    this.#lastWake = now;
    // Firing may change the sources under us.
    for (const [sourceId, entries] of this.#entries) {
      for (const entry of entries) {
        if (this.#entries.get(sourceId) !== entries) break;
        if (setBack) this.#move(sourceId, entry, correctedTick(entry.timer, entry.nextAt, now));
        if (entry.nextAt <= now) this.#tick(sourceId, entry, now);
      }
    }
    this.#wait();
  }

  #tick(sourceId: string, entry: Entry, now: number): void {
    const { fire, failed, isRunning, skipped } = this.#options;
    const nextAt = tickAfter(entry.timer, entry.nextAt, now);
    try {
      if (isRunning(sourceId)) {
        this.#move(sourceId, entry, nextAt ?? Infinity);
        skipped(sourceId);
      } else {
        entry.nextAt = nextAt ?? Infinity;
        fire(sourceId, entry.timer, nextAt);
      }
    } catch (error) {
      // It must not keep the other sources from their ticks.
      failed(sourceId, error);
    }
  }

  #move(sourceId: string, entry: Entry, nextAt: number): void {
    if (nextAt === entry.nextAt) return;
    entry.nextAt = nextAt;
    this.#options.moved(sourceId, entry.timer.id, nextAt === Infinity ? undefined : nextAt);
  }
}

/**
 * The trigger of a run by a timer. The time is that of the run, not the one the tick was due at: components use it as
 * "now".
 *
 * @param at epoch ms; the trigger has epoch **seconds** (P8.1).
 */
export function timerTrigger(timer: InterfaceRecord, at: number): TimerTrigger {
  const { prop, intervalSeconds, cron, timezone } = timer;
  return {
    kind: 'timer',
    prop,
    timestamp: Math.floor(at / 1000),
    ...(intervalSeconds !== undefined && { intervalSeconds }),
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
  };
}
