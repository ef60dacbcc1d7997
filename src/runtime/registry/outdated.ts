/** Compares locked components with the registries' current versions; updates nothing (P27.10). */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { eachOf } from '../base/each-of.ts';
import type { LockEntry } from './lock.ts';
import { type LockedOfferOptions, newestOffer } from './locked-offer.ts';
import type { Offer } from './offer.ts';
import { isNewer } from './versions.ts';

export interface Standing {
  readonly entry: LockEntry;
  /** A newer version of the component that may be used; undefined if there is none. */
  readonly newer: Offer | undefined;
  /** Whether its registry does not have the locked version any more. */
  readonly isUnpublished: boolean;
  readonly deprecated: string | undefined;
  /** Why its registry could not be asked. */
  readonly problem: string | undefined;
}

/** Each waits for npm, or for a fetch of its repository. */
const patienceMs = 60_000;

/** @throws WeirError `cancelled` */
export async function standings(
  options: LockedOfferOptions,
  entries: readonly LockEntry[],
  signal: AbortSignal,
): Promise<Standing[]> {
  const found = new Map<LockEntry, Standing>();
  await eachOf(entries, async (entry) => {
    const own = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const standing = await standingOf(options, entry, own).catch((error: unknown) => {
      if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.', undefined, error);
      const problem = own.aborted ? 'it did not answer within a minute.' : messageOf(error);
      return { entry, newer: undefined, isUnpublished: false, deprecated: undefined, problem };
    });
    found.set(entry, standing);
  });
  return entries.flatMap((entry) => found.get(entry) ?? []);
}

async function standingOf(
  options: LockedOfferOptions,
  entry: LockEntry,
  signal: AbortSignal,
): Promise<Standing> {
  // First: the search for the newest version may use what an earlier answer has left in npm's cache.
  const now = entry.source === 'npm' ? await lockedRelease(options, entry, signal) : undefined;
  const { offers } = await newestOffer(options, entry, undefined, signal);
  requireAnswer(options, entry);
  const newest = offers.find((one) => one.path === entry.file) ?? offers[0];
  const newer = newest !== undefined && isNewer(newest.version, entry.version) ? newest : undefined;
  // Of a repository the newest version is asked about.
  const release = entry.source === 'npm' ? now : newest;
  return {
    entry,
    newer,
    isUnpublished: release === undefined,
    deprecated: release?.deprecated,
    problem: undefined,
  };
}

/**
 * Asks an npm registry itself, not npm's cache.
 * @returns undefined for a version that was taken back
 * @throws WeirError `registry_failed` when it does not answer, `integrity_mismatch` for other bytes than the lock's, `cancelled`
 */
async function lockedRelease(
  { registries }: LockedOfferOptions,
  { registry: place, package: name = '', packageVersion = '', integrity }: LockEntry,
  signal: AbortSignal,
): Promise<Pick<Offer, 'deprecated'> | undefined> {
  const release = await registries.npmAt(place, name).release(name, packageVersion, signal);
  if (release?.integrity !== undefined && !isSameIntegrity(release.integrity, integrity)) {
    throw new WeirError(
      'integrity_mismatch',
      `it has other bytes for ${name}@${packageVersion} than weir.lock.json says. Ask its publisher before you update.`,
    );
  }
  return release;
}

/**
 * The search for the newest version has fetched the repository, and used its last known state if that failed.
 * @throws WeirError why it failed
 */
function requireAnswer({ registries }: LockedOfferOptions, { source, registry }: LockEntry): void {
  if (source !== 'git') return;
  const { problem } = registries.repository(registry);
  if (problem !== undefined) throw problem;
}

/** Hashes of different kinds cannot be compared. */
function isSameIntegrity(said: string, locked: string): boolean {
  return said.split('-')[0] !== locked.split('-')[0] || said === locked;
}
