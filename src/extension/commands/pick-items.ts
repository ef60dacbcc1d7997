/** How the rows of pick lists name a component and what is deployed from it, as data. */
import type { Source, Webhook } from '../../protocol/catalogue.ts';
import type { ComponentKind } from '../component-files/find-component.ts';

export interface PickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/**
 * A component file.
 * @param name of the component; undefined where its text does not say
 * @param file relative to the workspace
 * @param deployed the sources that were deployed from it
 */
export function fileItem(
  name: string | undefined,
  kind: ComponentKind,
  file: string,
  deployed: readonly Source[],
): PickItem {
  const fileName = file.slice(file.lastIndexOf('/') + 1);
  const sources = deployed.map((source) => `${source.name} (${identityOf(source)})`);
  return {
    label: `$(${kind === 'action' ? 'zap' : 'file-code'}) ${name ?? fileName}`,
    description: `${kind} · ${file}`,
    detail:
      sources.length > 0
        ? `Deployed as ${sources.join(', ')}`
        : kind === 'source'
          ? 'Not deployed'
          : '',
  };
}

/**
 * A deployed source.
 * @param file of its component, relative to the workspace; undefined where it has none
 */
export function sourceItem(source: Source, file: string | undefined): PickItem {
  const component = [file, source.component_key].filter(
    (part) => part !== undefined && part !== null,
  );
  return {
    label: `$(${source.endpoint_url === null ? 'play-circle' : 'globe'}) ${source.name}`,
    description: identityOf(source),
    detail: ['source', ...component].join(' · '),
  };
}

export function webhookItem({ id, name, url, active }: Webhook): PickItem {
  return {
    label: `$(radio-tower) ${name ?? url}`,
    description: `${id} · ${active ? 'active' : 'inactive'}`,
    detail: ['webhook', ...(name === null ? [] : [url])].join(' · '),
  };
}

/** `orders · dc_x7Kq2Pz · inactive`. */
function identityOf({ name_slug: slug, id, active }: Source): string {
  return `${slug} · ${id} · ${active ? 'active' : 'inactive'}`;
}
