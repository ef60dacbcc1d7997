import type { Components, Deployment } from '../components/deployments/deployment.ts';
import type { Log } from '../log.ts';
import type { ComponentRecord } from '../store/configuration/components.ts';
import type { Store } from '../store/store.ts';
import type { Instances } from './instances.ts';

export interface RestoreOptions {
  readonly store: Pick<Store, 'sources' | 'components'>;
  readonly components: Components;
  readonly instances: Instances;
  readonly log: Log;
}

/**
 * Brings back what was deployed when the runtime ended. A deploy that was cut off was never
 * acknowledged: it leaves nothing behind.
 */
export async function restore(options: RestoreOptions): Promise<void> {
  const { store, components, instances, log } = options;
  for (const record of store.sources.all()) {
    if (record.deploying) {
      log('warn', `${record.slug}: its deploy was cut off; it was removed`);
      await store.sources.delete(record.id);
      continue;
    }
    const saved = store.components.get(record.componentId);
    const deployment = saved === undefined ? undefined : await components.get(saved.hash);
    if (deployment === undefined) {
      log('error', `${record.slug}: its code is gone from the data folder; update the source`);
    }
    instances.add(record, deployment ?? missing(saved));
  }
  await store.components.removeUnused();
  await components.removeAllBut(new Set(store.components.all().map(({ hash }) => hash)));
}

/** A process of it cannot be started, which is an error with a sentence; the source and its events stay. */
function missing(saved: ComponentRecord | undefined): Deployment {
  return { hash: saved?.hash ?? '', folder: '', bundle: '', path: saved?.path ?? null, inputs: [] };
}
