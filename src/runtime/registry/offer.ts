/** An offer of a registry: one version of one component, before anything of it is run. */
import type { Tree } from './tree.ts';

export interface Offer {
  readonly source: 'npm' | 'git' | 'folder';
  /** Name of the registry it was found in; that of its place when it was named by itself. */
  readonly registry: string;
  /** URL of the npm registry or repository, or path of the folder. */
  readonly place: string;
  /** Who answers for the component, according to the registry: not what the package says of itself. */
  readonly publisher: string;
  /** npm package with its version. */
  readonly package: { readonly name: string; readonly version: string } | undefined;
  readonly commit: string | undefined;
  /** Epoch milliseconds. */
  readonly publishedAt: number | undefined;
  readonly deprecated: string | undefined;
  /** Whether the registry keeps a signed statement of the build it comes from. */
  readonly provenance: boolean;
  /** Integrity of the npm tarball, as the registry has it. */
  readonly integrity: string | undefined;
  readonly key: string;
  readonly version: string;
  readonly type: 'source' | 'action';
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly license: string | undefined;
  /** Path of its file in the tree. */
  readonly path: string;
  tree(signal: AbortSignal): Promise<Tree>;
}

export interface Query {
  /** Words that key, name or description must contain; empty for all. */
  readonly words: readonly string[];
  readonly app: string | undefined;
  readonly type: 'source' | 'action' | undefined;
  readonly limit: number;
}

/** A package that does not say which components are in it, found by its name and description. */
export interface OfferedPackage {
  readonly package: { readonly name: string; readonly version: string };
  readonly description: string | undefined;
  readonly registry: string;
  readonly place: string;
  readonly publisher: string;
  readonly publishedAt: number | undefined;
}

export interface Version {
  readonly version: string;
  readonly packageVersion: string | undefined;
  readonly commit: string | undefined;
  readonly publishedAt: number | undefined;
}

export interface Found {
  /** At most one per package, or one of a tree. */
  readonly offers: readonly Offer[];
  /** Versions of the key that are there and were not asked for. */
  readonly others: readonly Version[];
}

/** A configured registry, opened. Everything rejects with a WeirError. */
export interface ComponentRegistry {
  readonly name: string;
  readonly place: string;
  /** Resolves with all results; `found` gets them one by one meanwhile. */
  search(
    query: Query,
    signal: AbortSignal,
  ): Promise<{ readonly offers: readonly Offer[]; readonly packages: readonly OfferedPackage[] }>;
  /** @param wanted version or range of the component; undefined for the newest */
  find(key: string, wanted: string | undefined, signal: AbortSignal): Promise<Found>;
  /** Newest first. */
  versions(key: string, signal: AbortSignal): Promise<readonly Version[]>;
}

/** The parsed text of a component's file. */
export function matches(
  query: Query,
  one: Pick<Offer, 'key' | 'name' | 'description' | 'type'>,
): boolean {
  if (query.type !== undefined && one.type !== query.type) return false;
  if (query.app !== undefined && !one.key.replace(/^@[\w-]+\//, '').startsWith(`${query.app}-`)) {
    return false;
  }
  const text = `${one.key} ${one.name ?? ''} ${one.description ?? ''}`.toLowerCase();
  return query.words.every((word) => text.includes(word));
}
