import type { ApiServices } from './api-services.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { deployedCode } from '../../components/deployments/deployed-code.ts';
import type { Deployment } from '../../components/deployments/deployment.ts';
import { load } from '../../components/load.ts';
import type { ComponentRecord, PublishedRecord } from '../../store/configuration/components.ts';
import type { Store, UsesStore } from '../../store/store.ts';
import type { Handlers } from './operations.ts';
import { presentComponent } from './present.ts';
import type { Services } from '../../events/services.ts';

type PublishHandlers = Pick<
  Handlers,
  'components.publish' | 'components.get' | 'components.unpublish'
>;

/**
 * A component that was published is saved in this data folder under its key (P17.10)
 * and goes no further, which is our decision. A new version takes the place of the old one;
 * what was deployed from that stays as it is.
 */
export interface PublishHandlerParts
  extends
    UsesStore<'components'>,
    Pick<Services, 'newId' | 'now' | 'signals'>,
    Pick<ApiServices, 'components' | 'savedComponents' | 'prepare'> {}

export function publishHandlers(parts: PublishHandlerParts): PublishHandlers {
  const { store, newId, now } = parts;
  return {
    'components.publish': (params, context) =>
      parts.savedComponents.adding(async () => {
        // A look at a file is no reason to wait for a debugger.
        const prepare = { ...parts.prepare, components: parts.components };
        const { host, definition, deployment } = await load(prepare, null, params, context);
        await host.end();
        const { key, version, type } = definition;
        const where = deployment.path ?? 'The component';
        if (type === 'app') {
          throw new WeirError(
            'bad_component',
            `${where} is an app; sources and actions are published.`,
          );
        }
        if (key === null || version === null) {
          const missing = key === null ? 'key' : 'version';
          throw new WeirError(
            'bad_component',
            `${where} has no ${missing}; give it one to publish it.`,
          );
        }
        const before = store.components.published(key);
        if (before?.version === version) {
          throw new WeirError(
            'conflict',
            `${key} is published in version ${version} already; raise the version.`,
          );
        }
        const { hash, path } = deployment;
        const record = store.components.find(hash, path) ?? {
          id: newId('sc_'),
          hash,
          path,
          definition,
          createdAt: now(),
        };
        await store.components.publish(record, key, version);
        parts.signals.emit('published', key);
        return withCode(record, deployment);
      }),
    'components.get': async ({ id }) => {
      const record = store.components.get(store.components.published(id)?.componentId ?? id);
      if (record === undefined) throw unknown(id);
      const deployment = await parts.components.get(record.hash);
      if (deployment === undefined) {
        throw new WeirError('not_found', `The code of ${id} is gone from the data folder.`);
      }
      return withCode(record, deployment);
    },
    'components.unpublish': async ({ id }) => {
      const { key } = findPublished(store, id);
      await store.components.unpublish(key);
      parts.signals.emit('published', key);
      return {};
    },
  };
}

async function withCode(record: ComponentRecord, deployment: Deployment) {
  return { ...presentComponent(record), code: await deployedCode(deployment) };
}

function findPublished(store: Pick<Store, 'components'>, id: string): PublishedRecord {
  const found = store.components.published(keyOf(store.components.get(id)) ?? id);
  if (found === undefined) throw unknown(id);
  return found;
}

function keyOf(record: ComponentRecord | undefined): string | undefined {
  return record?.definition.key ?? undefined;
}

function unknown(id: string): WeirError {
  return new WeirError('not_found', `No component is published under "${id}".`);
}
