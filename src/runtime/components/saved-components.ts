/** Saved components: code that is in use is kept, all other code is removed (P12.12). */
import { describeError, type Log } from '../log.ts';
import type { ComponentRecord } from '../store/configuration/components.ts';
import type { Store } from '../store/store.ts';
import type { Components } from './deployments/deployment.ts';
import type { LoadedComponent } from './load.ts';

export interface SavedComponentsOptions {
  readonly store: Pick<Store, 'components'>;
  readonly components: Components;
  readonly newId: (prefix: 'sc_') => string;
  readonly now: () => number;
  readonly log: Log;
}

export class SavedComponents {
  readonly #options: SavedComponentsOptions;

  constructor(options: SavedComponentsOptions) {
    this.#options = options;
  }

  /** The same code of the same file is one saved component. */
  async save({ deployment, definition }: LoadedComponent): Promise<ComponentRecord> {
    const { store, newId, now } = this.#options;
    const { hash, path } = deployment;
    const found = store.components.find(hash, path);
    if (found !== undefined) return found;
    const record = { id: newId('sc_'), hash, path, definition, createdAt: now() };
    await store.components.insert(record);
    return record;
  }

  async removeUnused(): Promise<void> {
    const { store, components, log } = this.#options;
    try {
      await components.remove(await store.components.removeUnused());
    } catch (error) {
      log('warn', `Old code could not be removed: ${describeError(error)}`);
    }
  }
}
