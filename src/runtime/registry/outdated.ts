/** What is locked, beside what its registries have now: nothing is updated by it (P27.10). */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { eachOf } from '../base/each-of.ts';
import type { LockEntry } from './lock.ts';
import { type LockedOfferOptions, newestOffer } from './locked-offer.ts';
import type { Offer } from './offer.ts';
import { isNewer } from './versions.ts';

export interface Standing {
  readonly entry: LockEntry;
  /** A newer version of the component that may be taken; undefined when there is none. */
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
  const { offers } = await newestOffer(options, entry, undefined, signal);
  const newest = offers.find((one) => one.path === entry.file) ?? offers[0];
  const newer = newest !== undefined && isNewer(newest.version, entry.version) ? newest : undefined;
  const release = await releaseOf(options, entry, newest, signal);
  return {
    entry,
    newer,
    isUnpublished: release === undefined,
    deprecated: release?.deprecated,
    problem: undefined,
  };
}

/** In a repository older versions stay in its history: what counts there is whether the component was removed. */
async function releaseOf(
  { registries }: LockedOfferOptions,
  entry: LockEntry,
  newest: Offer | undefined,
  signal: AbortSignal,
): Promise<Pick<Offer, 'deprecated'> | undefined> {
  const { package: name, packageVersion } = entry;
  if (name === undefined || packageVersion === undefined) return newest;
  if (newest?.package?.version === packageVersion) return newest;
  const release = await registries
    .npmAt(entry.registry, name)
    .release(name, packageVersion, signal);
  return release;
}
