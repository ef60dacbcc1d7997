/** A source comes to this runtime, or goes to another one, while both run. */
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { OwnedEmitters } from '../emitters/owned-emitters.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { Store } from '../store/store.ts';
import type { SharedStore } from '../store/shared.ts';
import type { RunningSources } from './running-sources.ts';

export interface HandOverOptions {
  readonly store: Pick<Store, 'sources' | 'components' | 'ownership' | 'flush'>;
  readonly shared: SharedStore;
  readonly emitters: OwnedEmitters;
  readonly running: RunningSources;
  readonly deliveries: Deliveries;
  readonly components: Pick<Components, 'get'>;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
}

/** Between two looks at what still goes on, in ms. */
const lookMs = 10;
/** So long an attempt at a delivery is waited for; the next owner makes it again. */
const sendingMs = 1000;

export class HandOver {
  readonly #options: HandOverOptions;
  readonly #leaving = new Set<string>();
  readonly #perSource = new KeyedMutex();

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** It is here, and what comes in for it is run here. */
  runsHere(id: string): boolean {
    return this.#options.emitters.get(id) !== undefined && !this.#leaving.has(id);
  }

  /**
   * Takes a source that has no owner, with all that waits in its inbox. Resolves when it runs here.
   * @throws WeirError('not_found'), WeirError('conflict') when another runtime has it, or its code is not there
   */
  take(id: string): Promise<void> {
    return this.#perSource.run(id, () => this.#take(id));
  }

  /**
   * Gives it back once what runs here has ended. What comes in meanwhile waits for whoever has it next.
   * @returns false when runs do not end in time: then it stays
   */
  release(id: string, withinMs: number): Promise<boolean> {
    return this.#perSource.run(id, () => this.#release(id, withinMs));
  }

  async #take(id: string): Promise<void> {
    const { store, shared, emitters, running, deliveries, components } = this.#options;
    if (emitters.get(id) !== undefined) return;
    const component = store.components.get(store.sources.get(id)?.componentId ?? '');
    const deployment = component && (await components.get(component.hash));
    if (deployment === undefined) {
      throw new WeirError(
        'conflict',
        `The code of ${id} is not in the database: update the source.`,
      );
    }
    const { invocations } = running;
    // Of what is asked for meanwhile some is among what was left, and some is not.
    invocations.arrive(id);
    try {
      const taken = await store.ownership.take(id);
      await shared.refreshTicks(id);
      const record = store.sources.get(id);
      if (record === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
      const emitter = emitters.add(taken);
      running.instances.add(id, deployment);
      running.listeners.changed();
      deliveries.take(taken.openDeliveries);
      invocations.recover([{ ...taken, emitter }]);
      invocations.arrived(id, new Set(taken.unfinished.map(({ record: { n } }) => n)));
      if (record.active) running.timers.set(id, record.interfaces);
      running.dueEmits.changed();
    } catch (error) {
      invocations.notArrived(id);
      // It may be ours already, though it does not run here.
      if (emitters.get(id) === undefined) await shared.giveUp(id).catch(() => undefined);
      throw error;
    }
  }

  async #release(id: string, withinMs: number): Promise<boolean> {
    const { store, shared, emitters, running, deliveries } = this.#options;
    const emitter = emitters.get(id);
    const instance = running.instances.get(id);
    if (emitter === undefined) {
      await shared.giveUp(id);
      return true;
    }
    if (instance === undefined) return false;
    this.#leaving.add(id);
    try {
      running.timers.remove(id);
      running.invocations.leave(id);
      const rests = (): boolean => {
        const { waiting, running: going } = instance.runner.depth;
        return waiting + going === 0;
      };
      if (!(await this.#until(rests, withinMs))) {
        this.#stay(id);
        return false;
      }
      running.invocations.commitNow();
      // What has ended is told, and its deliveries have begun.
      await store.flush();
      await this.#until(() => !deliveries.isSending(id), Math.min(withinMs, sendingMs));
      const released = shared.release(emitter);
      emitters.remove(id);
      running.instances.remove(id, 'the source runs at another node');
      running.invocations.left(id);
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

  #stay(id: string): void {
    const { store, running } = this.#options;
    const record = store.sources.get(id);
    if (record?.active === true) running.timers.set(id, record.interfaces);
    running.invocations.stay(id);
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
