import type { Deployment } from '../deployments/deployment.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { LoadedComponent } from '../load.ts';
import type { BaseServices } from '../../base/services.ts';

export interface FormHostsOptions extends Pick<BaseServices, 'clock'> {
  readonly open: (deployment: Deployment, signal: AbortSignal) => Promise<LoadedComponent>;
  /** How long an idle process is kept, in ms. */
  readonly idleMs: number;
  /** Most processes at once, busy and idle ones together. */
  readonly most: number;
}

interface Idle {
  readonly hash: string;
  readonly component: LoadedComponent;
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

  /** @param signal gives up waiting for a process; `work` itself ends when it is aborted */
  async use<T>(
    deployment: Deployment,
    signal: AbortSignal,
    work: (component: LoadedComponent) => Promise<T>,
  ): Promise<T> {
    await this.#acquire(signal);
    try {
      const component = this.#take(deployment.hash) ?? (await this.#start(deployment, signal));
      try {
        return await work(component);
      } finally {
        if (component.host.alive) this.#keep(deployment.hash, component);
      }
    } finally {
      this.#release();
    }
  }

  /** Ends the idle processes. */
  close(): void {
    for (const idle of this.#idle.slice()) this.#end(idle);
  }

  #acquire(signal: AbortSignal): Promise<void> {
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

  /** The longest waiting caller is next. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }

  #start(deployment: Deployment, signal: AbortSignal): Promise<LoadedComponent> {
    const [longestIdle] = this.#idle;
    if (longestIdle !== undefined && this.#busy + this.#idle.length > this.#options.most) {
      this.#end(longestIdle);
    }
    return this.#options.open(deployment, signal);
  }

  #take(hash: string): LoadedComponent | undefined {
    const found = this.#idle.findLast((idle) => idle.hash === hash);
    if (found === undefined) return undefined;
    this.#forget(found);
    return found.component.host.alive ? found.component : this.#take(hash);
  }

  #keep(hash: string, component: LoadedComponent): void {
    const cancel = this.#options.clock.after(this.#options.idleMs, () => this.#end(idle));
    const idle: Idle = { hash, component, cancel };
    this.#idle.push(idle);
  }

  #forget(idle: Idle): void {
    idle.cancel();
    this.#idle = this.#idle.filter((other) => other !== idle);
  }

  #end(idle: Idle): void {
    this.#forget(idle);
    idle.component.host.kill('nobody asked it anything for a while');
  }
}
