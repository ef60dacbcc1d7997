import type { Deployment } from '../components/deployment.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Opened } from './open-component.ts';

export interface FormHostsOptions {
  readonly open: (deployment: Deployment, signal: AbortSignal) => Promise<Opened>;
  readonly clock: Pick<Clock, 'after'>;
  /** How long a process waits for the next call, in ms. */
  readonly idleMs: number;
  /** Processes at once, working and waiting ones together. */
  readonly most: number;
}

interface Idle {
  readonly hash: string;
  readonly opened: Opened;
  readonly cancel: () => void;
}

/**
 * The processes behind forms. Each call of `options()` or `additionalProps()` has one for itself, so
 * that ending it harms nobody else; the next call of the same code finds it started and evaluated.
 */
export class FormHosts {
  readonly #options: FormHostsOptions;
  readonly #waiting: (() => void)[] = [];
  /** Longest idle first. */
  #idle: Idle[] = [];
  #busy = 0;

  constructor(options: FormHostsOptions) {
    this.#options = options;
  }

  /** @param signal gives up waiting for a process; `work` sees to what it does with it itself */
  async use<T>(
    deployment: Deployment,
    signal: AbortSignal,
    work: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    await this.#turn(signal);
    try {
      const opened = this.#take(deployment.hash) ?? (await this.#start(deployment, signal));
      try {
        return await work(opened);
      } finally {
        if (opened.host.alive) this.#keep(deployment.hash, opened);
      }
    } finally {
      this.#leave();
    }
  }

  /** Ends the processes that wait. */
  close(): void {
    for (const idle of this.#idle.slice()) this.#end(idle);
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#busy < this.#options.most) {
      this.#busy += 1;
      return Promise.resolve();
    }
    return new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(new WeirError('cancelled', 'Cancelled.'));
      };
      const turn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.push(turn);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
  }

  /** Who waits longest takes over. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }

  #start(deployment: Deployment, signal: AbortSignal): Promise<Opened> {
    const [longestIdle] = this.#idle;
    if (longestIdle !== undefined && this.#busy + this.#idle.length > this.#options.most) {
      this.#end(longestIdle);
    }
    return this.#options.open(deployment, signal);
  }

  #take(hash: string): Opened | undefined {
    const found = this.#idle.findLast((idle) => idle.hash === hash);
    if (found === undefined) return undefined;
    this.#forget(found);
    return found.opened.host.alive ? found.opened : this.#take(hash);
  }

  #keep(hash: string, opened: Opened): void {
    const cancel = this.#options.clock.after(this.#options.idleMs, () => this.#end(idle));
    const idle: Idle = { hash, opened, cancel };
    this.#idle.push(idle);
  }

  #forget(idle: Idle): void {
    idle.cancel();
    this.#idle = this.#idle.filter((other) => other !== idle);
  }

  #end(idle: Idle): void {
    this.#forget(idle);
    idle.opened.host.kill('nobody asked it anything for a while');
  }
}
