/** Data stores: keys and values that actions share, written through at once (P14.1). */
import { WeirError } from '../../../protocol/errors.ts';
import type { DataStoreRequest } from '../../../protocol/host.ts';
import type { DataStoreRecord } from '../../store/history/data-stores.ts';
import type { DataStoreValues } from './draft.ts';
import type { BaseServices } from '../../base/services.ts';

export interface DataStoresOptions extends Pick<BaseServices, 'now'> {
  readonly table: DataStoreValues;
  readonly newId: () => string;
  /** A store was made or written to. */
  readonly changed?: (id: string) => void;
}

/** Above this many keys the platform refuses to list them (P14.2). */
const mostListed = 1024;
const pageSize = 256;

export class DataStores {
  readonly #options: DataStoresOptions;

  constructor(options: DataStoresOptions) {
    this.#options = options;
  }

  /** Makes a store; one of that name is that one. An id that was made up elsewhere is kept. */
  async create(idOrName: string): Promise<DataStoreRecord> {
    const { table, now, newId } = this.#options;
    const found = table.find(idOrName);
    if (found !== undefined) return found;
    const id = /^ds_\w+$/.test(idOrName) ? idOrName : newId();
    return table.ensure({ id, name: idOrName, createdAt: now() });
  }

  /** Resolves when the written value is on disk. A store is made with its first value. */
  async answer({ store, call }: DataStoreRequest): Promise<unknown> {
    const { table, now, changed } = this.#options;
    if (call.op === 'set') {
      const { id } = await this.create(store);
      await table.set(id, [call.key, call.json], this.#expiry(call.ttl), now());
      changed?.(id);
      return undefined;
    }
    const id = table.find(store)?.id ?? '';
    switch (call.op) {
      case 'get':
        return table.value(id, call.key, now());
      case 'has':
        return (await table.value(id, call.key, now())) !== undefined;
      case 'keys':
        return (await this.#all(store, id)).map(([key]) => key);
      case 'entries':
        return this.#all(store, id);
      case 'page':
        return table.entries(id, now(), { after: call.after, limit: pageSize });
      case 'setTtl':
        await table.setExpiry(id, call.key, this.#expiry(call.ttl), now());
        break;
      case 'delete':
        await table.deleteKey(id, call.key);
        break;
      case 'clear':
        await table.clear(id);
    }
    changed?.(id);
    return undefined;
  }

  async #all(name: string, id: string): Promise<(readonly [string, string])[]> {
    const { table, now } = this.#options;
    const entries = await table.entries(id, now(), { after: null, limit: mostListed + 1 });
    if (entries.length <= mostListed) return entries;
    throw new WeirError(
      'bad_input',
      `The data store "${name}" has more than ${mostListed} keys, too many to list at once; go through them with "for await (const [key, value] of store)".`,
    );
  }

  #expiry(ttl: number | null): number | null {
    return ttl === null ? null : this.#options.now() + ttl * 1000;
  }
}
