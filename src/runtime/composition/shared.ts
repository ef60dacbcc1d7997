/** What components keep and share outside of a run: data stores, files, the folder of their stash. */
import { join } from 'node:path';
import type { RuntimeRequest } from '../../protocol/host.ts';
import { DataStores } from '../data-stores/data-stores.ts';
import { filePrefix, SharedFiles } from '../files/shared-files.ts';
import { openStash } from '../files/stash.ts';
import { newId, randomBase62, secureRandom } from '../ids.ts';
import { systemClock } from '../clock.ts';
import type { Ground } from './ground.ts';

export interface Shared {
  readonly dataStores: DataStores;
  readonly files: SharedFiles;
  /** Absolute folder behind a source's `STASH_DIR`. */
  readonly stashDir: (sourceId: string) => string;
  /** Answers what user code asks for while it runs. */
  readonly answer: (ask: RuntimeRequest) => Promise<unknown>;
}

export async function openShared(ground: Ground): Promise<Shared> {
  const { store, now, folder, address, closing } = ground;
  const dataStores = new DataStores({
    table: store.dataStores,
    now,
    newId: () => newId('ds_', secureRandom),
  });
  const files = new SharedFiles({
    folder: join(folder.path, 'files'),
    clock: systemClock,
    newId: () => filePrefix + randomBase62(22, secureRandom),
    url: address.endpointUrl,
  });
  await files.open();
  closing.push(() => files.close());
  const stashDir = await openStash(join(folder.path, 'stash'));
  const answer = (ask: RuntimeRequest) =>
    ask.of === 'file' ? files.answer(ask) : dataStores.answer(ask);
  return { dataStores, files, stashDir, answer };
}
