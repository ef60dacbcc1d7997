/** A locked component in the cache, as an offer: its registry need not answer to look at it. */
import type { Cached } from './cache.ts';
import { folderTree } from './folder/folder-tree.ts';
import type { LockEntry } from './lock.ts';
import type { Offer, Version } from './offer.ts';

export function cachedOffer(entry: LockEntry, { facts, root }: Cached): Offer {
  const { package: name, packageVersion: version } = entry;
  return {
    source: entry.source,
    registry: URL.canParse(entry.registry) ? new URL(entry.registry).host : entry.registry,
    place: facts.registry,
    publisher: facts.publisher,
    package: name === undefined || version === undefined ? undefined : { name, version },
    commit: entry.commit,
    publishedAt: facts.publishedAt,
    deprecated: facts.deprecated,
    provenance: facts.provenance,
    integrity: entry.integrity,
    key: entry.key,
    version: entry.version,
    type: facts.type,
    name: facts.name,
    description: undefined,
    license: facts.license,
    path: entry.file,
    tree: (signal) => folderTree(root, signal),
  };
}

/** The only version that is known without the registry. */
export function versionHere({ version, package: of, commit, publishedAt }: Offer): Version {
  return { version, packageVersion: of?.version, commit, publishedAt };
}
