/** Saved components: code that is in use is kept, all other code is removed (P12.12). */
import { describeError } from '../base/log.ts';
import type { ComponentRecord } from '../store/configuration/components.ts';
import type { UsesStore } from '../store/store.ts';
import type { CodeTable } from '../store/code.ts';
import type { Components } from './deployments/deployment.ts';
import { packDeployment } from './deployments/packed-deployment.ts';
import type { LoadedComponent } from './load.ts';
import type { BaseServices } from '../base/services.ts';

export interface SavedComponentsOptions
  extends UsesStore<'components'>, Pick<BaseServices, 'newId' | 'now' | 'log'> {
  readonly components: Pick<Components, 'remove'>;
  /** The table where nodes share code. */
  readonly code?: Pick<CodeTable, 'put' | 'prune'> | undefined;
}

/**
 * Code that is being deployed cannot be told from code that nothing uses until a source or a key refers
 * to it. So nothing is removed while a task adds code, and no task begins while code is removed.
 */
export class SavedComponents {
  readonly #options: SavedComponentsOptions;
  #adding = 0;
  #removalIsDue = false;
  #removing: Promise<void> = Promise.resolve();

  constructor(options: SavedComponentsOptions) {
    this.#options = options;
  }

  /** The same code of the same file is one saved component. Call only within `adding`. */
  async save({ deployment, definition }: LoadedComponent): Promise<ComponentRecord> {
    const { store, code, newId, now } = this.#options;
    const { hash, path } = deployment;
    if (code !== undefined) await code.put(hash, await packDeployment(deployment));
    const id = newId('sc_');
    return store.components.ensure({ id, hash, path, definition, createdAt: now() });
  }

  /**
   * Runs a task that builds or finds code and ends when something refers to it, or nothing is going to;
   * or one that reads code. No code is removed meanwhile.
   */
  async adding<T>(task: () => Promise<T>): Promise<T> {
    this.#adding += 1;
    try {
      await this.#removing;
      return await task();
    } finally {
      this.#adding -= 1;
      if (this.#removalIsDue) await this.removeUnused();
    }
  }

  /** Now, or when the last task that adds code has ended. */
  async removeUnused(): Promise<void> {
    this.#removalIsDue = this.#adding > 0;
    if (this.#removalIsDue) return;
    this.#removing = this.#removing.then(() => this.#remove());
    await this.#removing;
  }

  async #remove(): Promise<void> {
    const { store, components, code, log } = this.#options;
    try {
      await components.remove(await store.components.removeUnused());
      await code?.prune();
    } catch (error) {
      log('warn', `Old code could not be removed: ${describeError(error)}`);
    }
  }
}
