/** Components of registries and of the lock, as operations show them. */
import { WeirError } from '../../../protocol/errors.ts';
import { parseReference } from '../../../protocol/reference.ts';
import type { ForeignReference } from '../../components/origin.ts';
import { appOfKey } from '../../registry/layout.ts';
import type { LockEntry } from '../../registry/lock.ts';
import type { Offer } from '../../registry/offer.ts';
import { referenceOf } from '../../registry/resolve.ts';

/** @throws WeirError `bad_input` */
export function foreignReference(text: string): ForeignReference {
  const reference = parseReference(text);
  if ('wrong' in reference) {
    throw new WeirError('bad_input', `"${text.slice(0, 200)}" ${reference.wrong}.`);
  }
  if (reference.kind !== 'file') return reference;
  throw new WeirError(
    'bad_input',
    `"${text.slice(0, 200)}" is a file of this machine, and in no registry.`,
  );
}

export function presentOffer(offer: Offer) {
  const { key, version, type, name, description, registry, place, commit, publisher } = offer;
  return {
    reference: referenceOf(offer),
    key,
    version,
    type,
    registry,
    place,
    publisher,
    name: name ?? null,
    description: description ?? null,
    app: appOfKey(key) ?? null,
    package: offer.package?.name ?? null,
    package_version: offer.package?.version ?? null,
    commit: commit ?? null,
    published_at: offer.publishedAt ?? null,
    license: offer.license ?? null,
    deprecated: offer.deprecated ?? null,
  };
}

export function presentEntry(entry: LockEntry) {
  const { key, version, source, registry, file, integrity, provenance } = entry;
  return {
    key,
    version,
    source,
    registry,
    file,
    integrity,
    provenance,
    package: entry.package ?? null,
    package_version: entry.packageVersion ?? null,
    commit: entry.commit ?? null,
    license: entry.license ?? null,
    dependencies_hash: entry.dependenciesHash ?? null,
  };
}
