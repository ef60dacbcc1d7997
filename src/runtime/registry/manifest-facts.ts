/** The facts about a foreign component for a person, before anything of it is run (P27.6). */
import { createHash } from 'node:crypto';
import { own } from '../../protocol/own.ts';
import type { Closure } from './closure.ts';
import { type Defined, definedBy } from './defined.ts';
import { licenseOf } from './license.ts';
import type { Offer } from './offer.ts';

export interface ManifestFacts {
  readonly source: Offer['source'];
  /** URL of the npm registry or repository, or path of the folder. */
  readonly registry: string;
  readonly publisher: string;
  /** The subject whose changes are found: the npm package, otherwise the key. */
  readonly subject: string;
  readonly key: string;
  readonly componentVersion: string;
  readonly type: Offer['type'];
  readonly name: string | undefined;
  readonly package: string | undefined;
  /** Version of the package; otherwise the commit, otherwise the hash of its files. */
  readonly version: string;
  readonly publishedAt: number | undefined;
  readonly license: string | undefined;
  readonly licenseNote: string | undefined;
  readonly provenance: boolean;
  readonly deprecated: string | undefined;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly installScripts: readonly string[];
  readonly apps: readonly string[];
  readonly hosts: readonly string[];
  /** How accounts of apps connect, as it says so. */
  readonly defines: readonly Defined[];
  readonly files: number;
  readonly bytes: number;
  /** `sha512-…` as npm writes it: of the tarball, else of the files. */
  readonly integrity: string;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

const installScripts = ['preinstall', 'install', 'postinstall', 'prepare'];

/** @throws WeirError `bad_component` for a definition of an app that may not come with a package */
export function readManifestFacts(offer: Offer, closure: Closure): ManifestFacts {
  const text = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : new TextDecoder().decode(closure.files.get(path));
  const manifest = readManifest(text(closure.manifest));
  const license = licenseOf(closure.license.manifest, closure.license.file);
  const texts = [...closure.texts.values()];
  const integrity = offer.integrity ?? computeIntegrity(closure.files);
  const data = [...closure.files.values()];
  return {
    source: offer.source,
    registry: offer.place,
    publisher: offer.publisher,
    subject: offer.package?.name ?? offer.key,
    key: offer.key,
    componentVersion: offer.version,
    type: offer.type,
    name: offer.name,
    package: offer.package?.name,
    version: offer.package?.version ?? offer.commit ?? integrity,
    publishedAt: offer.publishedAt,
    license: license.name,
    licenseNote: license.note,
    provenance: offer.provenance,
    deprecated: offer.deprecated,
    dependencies: dependenciesOf(offer, closure, manifest),
    installScripts: installScripts.filter((name) => own(manifest.scripts, name) !== undefined),
    apps: sorted(texts.flatMap(({ type, app }) => (type === 'app' && app ? [app] : []))),
    hosts: sorted(texts.flatMap(({ hosts }) => hosts)),
    defines: definedBy(closure),
    files: closure.files.size,
    bytes: data.reduce((sum, { length }) => sum + length, 0),
    integrity,
  };
}

/**
 * All that an npm package declares. A repository's `package.json` is that of more than this component: of it what the
 * component imports.
 */
function dependenciesOf(
  { source }: Offer,
  { packages }: Closure,
  manifest: Manifest,
): Record<string, string> {
  const declared = (name: string): string | undefined =>
    own(manifest.dependencies, name) ??
    own(manifest.optionalDependencies, name) ??
    own(manifest.peerDependencies, name) ??
    (source === 'npm' ? undefined : own(manifest.devDependencies, name));
  const names =
    source === 'npm' ? [...Object.keys(manifest.dependencies ?? {}), ...packages] : packages;
  return Object.fromEntries(
    sorted(names)
      // Node's own component types, and a package that imports itself.
      .filter((name) => name !== 'weir')
      .map((name) => [name, declared(name) ?? 'latest']),
  );
}

export function computeIntegrity(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha512');
  for (const path of [...files.keys()].sort()) {
    const data = files.get(path) ?? new Uint8Array();
    hash.update(`${path}\0${data.length}\0`).update(data);
  }
  return `sha512-${hash.digest('base64')}`;
}

function readManifest(text: string | undefined): Manifest {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
