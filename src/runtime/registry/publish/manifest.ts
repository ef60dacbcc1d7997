/** The `package.json` that is published: the author's, with the map of components (pure). */
import { appKeyword, componentKeyword } from '../../../protocol/component-package.ts';
import { appOf } from '../../../protocol/definition.ts';
import type {
  ComponentPackage,
  PackagedComponent,
} from '../../../protocol/schemas/component-package.ts';
import type { EvaluatedComponent } from './candidates.ts';
import type { AuthoredManifest } from './check.ts';

/** Parts that matter only to the authors of the package; no script of it would ever run. */
const left = ['devDependencies', 'scripts', 'files', 'workspaces', 'weir', 'private'];

export interface ReadOfPackage {
  /** That the code of a component names, by its path. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Files that define apps, by slug. */
  readonly apps: Readonly<Record<string, string>>;
}

export function publishedManifest(
  authored: AuthoredManifest,
  components: readonly EvaluatedComponent[],
  { hosts, apps: defined }: ReadOfPackage,
): { readonly manifest: Record<string, unknown>; readonly map: ComponentPackage } {
  const entries = components.flatMap((one) => entryOf(one, hosts.get(one.path) ?? []));
  const map: ComponentPackage = {
    ...authored.weir,
    schema: 1,
    components: Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    apps: defined,
  };
  if (Object.keys(defined).length === 0) delete map.apps;
  const apps = new Set(entries.flatMap(([, { apps: own }]) => own));
  const keywords = Array.isArray(authored.keywords) ? authored.keywords.map(String) : [];
  const kept = Object.entries(authored).filter(([key]) => !left.includes(key));
  const manifest: Record<string, unknown> = {
    ...Object.fromEntries(kept),
    // Some registries find a package by its description alone.
    description: authored['description'] ?? descriptionOf(map),
    keywords: [
      ...new Set([...keywords, componentKeyword, ...[...apps].toSorted().map(appKeyword)]),
    ],
    weir: map,
  };
  const { registry: _, ...publishConfig } = authored.publishConfig ?? {};
  if (Object.keys(publishConfig).length > 0) manifest['publishConfig'] = publishConfig;
  else delete manifest['publishConfig'];
  return { manifest, map };
}

function entryOf(
  { path, definition }: EvaluatedComponent,
  hosts: readonly string[],
): [string, PackagedComponent][] {
  const { key, type, version, name, description, props } = definition;
  if (key === null || version === null || type === 'app') return [];
  const apps = props.filter((prop) => prop.type === 'app').map(appOf);
  const entry: PackagedComponent = {
    file: path,
    type,
    version,
    name,
    ...(description !== null && { description }),
    apps: [...new Set(apps)].toSorted(),
    hosts: [...hosts],
  };
  return [[key, entry]];
}

function descriptionOf({ components }: ComponentPackage): string {
  const names = Object.values(components).map(({ name }) => name);
  const apps = new Set(Object.values(components).flatMap(({ apps: own }) => own));
  const what = apps.size === 0 ? '' : ` for ${[...apps].join(', ')}`;
  return `Weir components${what}: ${names.join(', ')}`.slice(0, 250);
}
