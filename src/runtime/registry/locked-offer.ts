/** Looks up an entry of the lock file in the registry that it came from: its version, and the newest. */
import { resolve } from 'node:path';
import { validRange } from 'semver';
import { WeirError } from '../../protocol/errors.ts';
import type { AdHocPlaces } from '../base/ad-hoc-places.ts';
import { parseReference } from '../../protocol/reference.ts';
import { gitRegistry } from './git/git-registry.ts';
import type { LockEntry } from './lock.ts';
import type { Found, Offer } from './offer.ts';
import type { Registries } from './registries.ts';
import { naming, resolveOffer } from './resolve.ts';
import { nearestVersion } from './versions.ts';

export interface LockedOfferOptions {
  readonly registries: Registries;
  /** The folder of the lock file. */
  readonly workspace: string;
}

/**
 * At exactly the version of the lock.
 * @throws WeirError `not_found` when it is not there any more, `registry_failed`, `cancelled`
 */
export async function lockedOffer(
  { registries, workspace }: LockedOfferOptions,
  entry: LockEntry,
  signal: AbortSignal,
): Promise<Offer> {
  const { offers } = await foundAtLock(registries, workspace, entry, signal);
  const offer = offers.find((one) => one.path === entry.file) ?? offers[0];
  if (offer !== undefined) return offer;
  throw new WeirError(
    'not_found',
    `${entry.key} ${entry.version} is locked, and ${entry.registry} does not have it any more.`,
  );
}

function foundAtLock(
  registries: Registries,
  workspace: string,
  { source, registry: place, commit, key, version, ...entry }: LockEntry,
  signal: AbortSignal,
): Promise<Found> {
  switch (source) {
    case 'git': {
      const registry = { name: place, place: { kind: 'git', url: place, ref: commit } } as const;
      return registries.open(registry).find(key, version, signal);
    }
    case 'folder':
      return folderOf(registries, workspace, place).find(key, version, signal);
    case 'npm': {
      const { package: name = '', packageVersion } = entry;
      return registries.npmAt(place, name).inPackage(name, packageVersion, key, undefined, signal);
    }
  }
}

/**
 * The newest that may be taken without naming its version, or the highest of a range.
 * @param wanted version or range of the component
 * @returns undefined when its registry has none any more
 * @throws WeirError `registry_failed`, `cancelled`
 */
export async function newestOffer(
  { registries, workspace }: LockedOfferOptions,
  entry: LockEntry,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const { source, registry: place, key, file, ref } = entry;
  switch (source) {
    case 'folder':
      return folderOf(registries, workspace, place).find(key, wanted, signal);
    case 'npm': {
      const { package: name = '' } = entry;
      return registries.npmAt(place, name).inPackage(name, undefined, key, wanted, signal);
    }
    case 'git': {
      const registry = gitRegistry(
        place,
        registries.repository(place),
        branchOf(ref) ?? registries.branchOf(place),
      );
      const found = await registry.find(key, wanted, signal);
      if (found.offers.length > 0 || wanted !== undefined) return found;
      // Outside of the layout it was named by its path.
      const offer = await registry.at(file, signal);
      return { offers: offer?.key === key ? [offer] : [], others: found.others };
    }
  }
}

/** Whether an entry of the lock is exactly what is offered. */
export function isRelease(entry: LockEntry, offer: Offer): boolean {
  return (
    entry.key === offer.key &&
    entry.version === offer.version &&
    entry.packageVersion === offer.package?.version &&
    entry.commit === offer.commit
  );
}

/**
 * @param to version or range of the component, or a reference; the newest that may be taken without one
 * @param adHoc places that a reference may name although no registry is configured for them
 * @throws WeirError `not_found` with the nearest version, `bad_input` for a file or a component of another key, `forbidden`
 */
export async function updateOffer(
  options: LockedOfferOptions,
  entry: LockEntry,
  to: string | undefined,
  signal: AbortSignal,
  adHoc: AdHocPlaces,
): Promise<Offer> {
  const { key, file, registry: place } = entry;
  if (to !== undefined && validRange(to) === null) return named(options, entry, to, signal, adHoc);
  const { offers, others } = await newestOffer(options, entry, to, signal).catch(
    (error: unknown) => {
      throw naming(place, error);
    },
  );
  const offer = offers.find((one) => one.path === file) ?? offers[0];
  if (offer !== undefined) return offer;
  if (to === undefined) {
    throw new WeirError('not_found', `${place} does not have ${key} any more.`);
  }
  const nearest = nearestVersion([...new Set(others.map(({ version }) => version))], to);
  throw new WeirError(
    'not_found',
    `${place} has no ${key}@${to}${nearest === undefined ? '' : `; the nearest version is ${nearest}`}.`,
  );
}

async function named(
  { registries }: LockedOfferOptions,
  entry: LockEntry,
  text: string,
  signal: AbortSignal,
  adHoc: AdHocPlaces,
): Promise<Offer> {
  const said = `"${text.slice(0, 200)}"`;
  const reference = parseReference(text);
  if ('wrong' in reference) throw new WeirError('bad_input', `${said} ${reference.wrong}.`);
  if (reference.kind === 'file') {
    throw new WeirError(
      'bad_input',
      `${said} is a file: "weir update SOURCE --file FILE" takes its code.`,
    );
  }
  const offer = await (reference.kind === 'npm' && reference.package === entry.package
    ? ofPackage(registries, entry, reference.version, signal)
    : resolveOffer(registries, reference, signal, adHoc));
  if (offer.key === entry.key) return offer;
  throw new WeirError(
    'bad_input',
    `${said} is ${offer.key}, another component than ${entry.key}: deploy it beside.`,
  );
}

/** A version of the same package, in the registry that it came from. */
async function ofPackage(
  registries: Registries,
  { registry: place, package: name = '', key }: LockEntry,
  version: string | undefined,
  signal: AbortSignal,
): Promise<Offer> {
  const { offers } = await registries
    .npmAt(place, name)
    .inPackage(name, version, key, undefined, signal)
    .catch((error: unknown) => {
      throw naming(place, error);
    });
  const [offer] = offers;
  if (offer !== undefined) return offer;
  throw new WeirError(
    'not_found',
    `${place} has no package ${name}${version === undefined ? '' : `@${version}`} with a component ${key}.`,
  );
}

function folderOf(registries: Registries, workspace: string, place: string) {
  const path = resolve(workspace, place);
  return registries.open({ name: place, place: { kind: 'folder', path } });
}

/** The branch that a component was asked for by; a commit, a page and a key are of none. */
function branchOf(ref: string | undefined): string | undefined {
  if (ref === undefined || ref === '' || ref.includes(' ')) return undefined;
  return /^[0-9a-f]{7,64}$/i.test(ref) ? undefined : ref;
}
