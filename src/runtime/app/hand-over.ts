/** Takes an emitter over from another node, or releases one to it, while both nodes run. */
import type { ReleaseOptions } from '../cluster/node-calls.ts';
import type { Deliveries } from '../events/delivery/deliveries.ts';
import type { Inbox } from '../events/inbox.ts';
import { KeyedMutex } from '../base/keyed-mutex.ts';
import type { UsesStore } from '../store/store.ts';
import type { SharedStore } from '../store/shared.ts';
import type { RunningSources } from './running-sources.ts';
import type { Services } from '../events/services.ts';

export interface HandOverOptions
  extends UsesStore<'ownership' | 'flush'>, Pick<Services, 'emitters' | 'kinds' | 'clock'> {
  readonly shared: SharedStore;
  readonly running: Pick<RunningSources, 'timers' | 'listeners' | 'dueEmits'>;
  readonly deliveries: Deliveries;
  readonly inbox: Inbox;
}

/** Time between two checks of what still runs, in ms. */
const lookMs = 10;
/** How long to wait for a delivery attempt in progress; the next owner makes it again. */
const sendingMs = 1000;

export class HandOver {
  readonly #options: HandOverOptions;
  readonly #leaving = new Set<string>();
  readonly #perEmitter = new KeyedMutex();

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** It is here, and what comes in for it is run here. */
  runsHere(id: string): boolean {
    return this.#options.emitters.get(id) !== undefined && !this.#leaving.has(id);
  }

  /**
   * Takes an emitter that has no owner, with all that waits in its inbox. Resolves when it runs here.
   * @throws WeirError('not_found'), WeirError('conflict') when another runtime has it, or its code is not there
   */
  take(id: string): Promise<void> {
    return this.#perEmitter.run(id, () => this.#take(id));
  }

  /**
   * Releases it once its runs here have ended. Triggers that arrive meanwhile wait for the next owner.
   * @returns false if runs do not end in time: then it stays
   */
  release(id: string, options: ReleaseOptions): Promise<boolean> {
    return this.#perEmitter.run(id, () => this.#release(id, options));
  }

  async #take(id: string): Promise<void> {
    const { store, shared, emitters, running, deliveries, kinds, inbox } = this.#options;
    if (emitters.get(id) !== undefined) return;
    const { transfer } = kinds.of(id);
    const run = await transfer.prepare(id);
    // Triggers that arrive meanwhile may or may not be among the queued ones.
    inbox.expect(id);
    try {
      const taken = await store.ownership.take(id);
      await shared.refreshTicks(id);
      const emitter = emitters.add(taken);
      run();
      inbox.arrived(taken, emitter);
      transfer.arrived(taken);
      deliveries.take(taken.openDeliveries);
      running.listeners.changed();
      running.dueEmits.changed();
    } catch (error) {
      inbox.arrivalFailed(id);
      emitters.remove(id);
      // It may be ours already, though it does not run here.
      await shared.giveUp(id).catch(() => undefined);
      throw error;
    }
  }

  async #release(id: string, { withinMs, isDeleted }: ReleaseOptions): Promise<boolean> {
    const { store, shared, emitters, running, deliveries, kinds, inbox } = this.#options;
    const { transfer } = kinds.of(id);
    const emitter = emitters.get(id);
    if (emitter === undefined) {
      await shared.giveUp(id);
      return true;
    }
    this.#leaving.add(id);
    try {
      running.timers.remove(id);
      inbox.beginTransfer(id);
      if (isDeleted) transfer.endRuns(id);
      if (!(await this.#until(() => transfer.isIdle(id), withinMs))) return this.#stay(id);
      // Completed runs are announced and their deliveries started.
      await store.flush();
      await this.#until(() => !deliveries.isSending(id), Math.min(withinMs, sendingMs));
      if (!transfer.isIdle(id)) return this.#stay(id);
      const released = shared.release(emitter);
      emitters.remove(id);
      inbox.transferredOut(id);
      running.listeners.changed();
      await released;
      return true;
    } catch (error) {
      if (emitters.get(id) === emitter) this.#stay(id);
      throw error;
    } finally {
      this.#leaving.delete(id);
    }
  }

  #stay(id: string): false {
    this.#leaving.delete(id);
    this.#options.inbox.cancelTransfer(id);
    return false;
  }

  async #until(holds: () => boolean, withinMs: number): Promise<boolean> {
    const { clock } = this.#options;
    const begun = clock.elapsed();
    while (!holds()) {
      if (clock.elapsed() - begun > withinMs) return false;
      await new Promise<void>((resolve) => void clock.after(lookMs, resolve));
    }
    return true;
  }
}
