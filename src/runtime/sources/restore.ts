import type { Components, Deployment } from '../components/deployments/deployment.ts';
import type { ComponentRecord } from '../store/configuration/components.ts';
import type { UsesStore } from '../store/store.ts';
import type { Instances } from './instances.ts';
import type { Services } from '../events/services.ts';

export interface RestoreOptions
  extends UsesStore<'sources' | 'components'>, Pick<Services, 'emitters' | 'log'> {
  readonly components: Components;
  readonly instances: Instances;
}

/**
 * Brings back the sources that this runtime has taken. A deploy that was cut off was never
 * acknowledged: it leaves nothing behind.
 */
export async function restore(options: RestoreOptions): Promise<void> {
  const { store, emitters, components, instances, log } = options;
  for (const { id } of emitters.all()) {
    const record = store.sources.get(id);
    if (record === undefined) continue;
    if (record.deploying) {
      log('warn', `${record.slug}: its deploy was cut off; it was removed`);
      emitters.remove(id);
      await store.sources.delete(id);
      continue;
    }
    const saved = store.components.get(record.componentId);
    const deployment = saved === undefined ? undefined : await components.get(saved.hash);
    if (deployment === undefined) {
      log('error', `${record.slug}: its code is gone from the data folder; update the source`);
    }
    instances.add(id, deployment ?? missing(saved));
  }
  await store.components.removeUnused();
  await components.removeAllBut(new Set(store.components.all().map(({ hash }) => hash)));
}

/** No process of it can be started, and the error says why; the source and its events stay. */
function missing(saved: ComponentRecord | undefined): Deployment {
  return { hash: saved?.hash ?? '', folder: '', bundle: '', path: saved?.path ?? null, inputs: [] };
}
