/** Emits what runs scheduled (P10.13): one timer of the system waits for what is due first. */
import { longestWaitMs } from '../../base/clock.ts';
import type { WorkHold } from '../work-hold.ts';
import type { OwnedEmitter } from '../owner/owned-emitters.ts';
import type { ScheduledEmit } from '../../store/history/scheduled-emits.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Services } from '../services.ts';

export interface DueEmitsOptions
  extends UsesStore<'scheduledEmits'>, Pick<Services, 'emitters' | 'clock'> {
  /** Whether anything may be emitted. */
  readonly hold: Pick<WorkHold, 'isHeld' | 'onRelease'>;
  /** Makes events of them, in this order; resolves when they are on disk. */
  readonly emit: (emitter: OwnedEmitter, emits: readonly ScheduledEmit[]) => Promise<void>;
  /** Called with the reason why an emitter's events could not be emitted; they are tried again. */
  readonly failed: (emitterId: string, error: unknown) => void;
}

/** The limit of one commit: after that, other work has its turn. */
const most = { count: 100, bytes: 8 * 1024 * 1024 };

export class DueEmits {
  readonly #options: DueEmitsOptions;
  /** Emitters whose emits are read or written just now. */
  readonly #busy = new Set<OwnedEmitter>();
  #cancel: (() => void) | undefined;
  #runs = false;

  constructor(options: DueEmitsOptions) {
    this.#options = options;
    options.hold.onRelease(() => this.#wait());
  }

  /** Emits that became due while nothing ran are emitted at once. */
  start(): void {
    this.#runs = true;
    this.#wait();
  }

  /** More waits, and is on disk. */
  changed(): void {
    this.#wait();
  }

  /** Nothing is emitted any more. */
  close(): void {
    this.#runs = false;
    this.#cancel?.();
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#runs) return;
    let earliest = Infinity;
    for (const emitter of this.#options.emitters.all()) {
      if (!this.#busy.has(emitter)) {
        earliest = Math.min(earliest, emitter.waitingEmits.nextAt ?? Infinity);
      }
    }
    if (earliest === Infinity) return;
    const { clock } = this.#options;
    const ms = Math.min(Math.max(0, earliest - clock.now()), longestWaitMs);
    this.#cancel = clock.after(ms, () => this.#wake());
  }

  #wake(): void {
    if (this.#options.hold.isHeld) return;
    const now = this.#options.clock.now();
    for (const emitter of this.#options.emitters.all()) {
      const { nextAt } = emitter.waitingEmits;
      if (nextAt !== undefined && nextAt <= now && !this.#busy.has(emitter)) {
        void this.#emitAll(emitter);
      }
    }
    this.#wait();
  }

  /** All that are due of one emitter, batch by batch. */
  async #emitAll(emitter: OwnedEmitter): Promise<void> {
    const { clock, failed } = this.#options;
    this.#busy.add(emitter);
    try {
      let isMore = true;
      while (isMore) isMore = await this.#emitSome(emitter);
    } catch (error) {
      emitter.waitingEmits.lookAt(clock.now() + longestWaitMs);
      failed(emitter.id, error);
    } finally {
      this.#busy.delete(emitter);
      this.#wait();
    }
  }

  /** @returns true when more of them are due */
  async #emitSome(emitter: OwnedEmitter): Promise<boolean> {
    const { store, emitters, clock, emit } = this.#options;
    const { waitingEmits } = emitter;
    // Emits that a run schedules from now on may be missing in the rows that are being read.
    waitingEmits.nextAt = undefined;
    const { emits, nextAt } = await store.scheduledEmits.due(emitter.id, clock.now(), most);
    waitingEmits.lookAt(nextAt);
    if (!this.#runs || emitters.get(emitter.id) !== emitter) return false;
    if (emits.length > 0) await emit(emitter, emits);
    return nextAt !== undefined && nextAt <= clock.now();
  }
}
