/** From a reference to the one component that it names (P27.5). */
import { formatReference, type Reference } from '../../protocol/reference.ts';
import { WeirError } from '../../protocol/errors.ts';
import { type AdHocPlace, type AdHocPlaces, requireAdHoc } from '../base/ad-hoc-places.ts';
import { askAll } from './ask-all.ts';
import { gitRegistry } from './git/git-registry.ts';
import { packageOfKey } from './layout.ts';
import type { Offer } from './offer.ts';
import type { Registries } from './registries.ts';
import { nearestVersion } from './versions.ts';

/** A first clone takes minutes, and a caller that needs one component waits for it. */
const patienceMs = 10 * 60_000;

/** A reference that a registry can resolve. */
export type ForeignReference = Exclude<Reference, { readonly kind: 'file' }>;

/**
 * @param adHoc places that may be named although no registry is configured for them
 * @throws WeirError `not_found` with the nearest version or what did not answer, `conflict` listing several,
 *   `forbidden` for a place that this caller may not name, `registry_failed`, `cancelled`
 */
export async function resolveOffer(
  registries: Registries,
  reference: ForeignReference,
  signal: AbortSignal,
  adHoc: AdHocPlaces,
): Promise<Offer> {
  const place = placeIn(reference);
  if (place !== undefined && !registries.isConfigured(reference)) requireAdHoc(place, adHoc);
  switch (reference.kind) {
    case 'key':
      return byKey(registries, reference, signal);
    case 'git':
      return inRepository(registries, reference, signal);
    case 'page':
      return ofPage(registries, reference, signal);
    case 'npm':
      return inPackage(registries, reference, signal);
  }
}

/** The place that a reference names besides a key, which is looked up in the configured registries. */
function placeIn(reference: ForeignReference): AdHocPlace | undefined {
  switch (reference.kind) {
    case 'key':
      return undefined;
    case 'npm':
      return { kind: 'npm', text: reference.package };
    case 'git':
    case 'page':
      return { kind: 'git', text: reference.url };
  }
}

async function byKey(
  registries: Registries,
  { key, version }: Extract<Reference, { kind: 'key' }>,
  signal: AbortSignal,
): Promise<Offer> {
  const all = registries.all();
  const asked = version === undefined ? key : `${key}@${version}`;
  const { answers, problems } = await askAll(all, patienceMs, signal, (registry, own) =>
    registry.find(key, version, own),
  );
  const offers = distinct(answers.flatMap((answer) => answer.offers));
  const [offer, ...others] = offers;
  const failed = problems.map((one) => `${one.registry}: ${one.message}`).join(' ');
  if (offer === undefined) {
    const others = answers.flatMap((answer) => answer.others.map((one) => one.version));
    const nearest =
      version === undefined ? undefined : nearestVersion([...new Set(others)], version);
    const message = [notFound(asked, key, all.length, nearest), failed].filter(Boolean).join(' ');
    const details = nearest === undefined ? undefined : [{ message, nearest: `${key}@${nearest}` }];
    throw new WeirError('not_found', message, details);
  }
  if (others.length > 0) {
    const listed = offers.map((one) => `${placeOf(one)} (${one.registry})`);
    throw new WeirError(
      'conflict',
      `Several components have the key ${key}; name one of them: ${listed.join(', ')}.`,
      offers.map((one) => ({ message: placeOf(one), registry: one.registry })),
    );
  }
  return offer;
}

/** Two registries may be the same place, and have the same component. */
function distinct(offers: readonly Offer[]): Offer[] {
  const known = new Map<string, Offer>();
  for (const offer of offers) {
    const id = JSON.stringify([offer.place.replace(/\/+$/, ''), placeOf(offer), offer.version]);
    if (!known.has(id)) known.set(id, offer);
  }
  return [...known.values()];
}

function notFound(asked: string, key: string, count: number, nearest: string | undefined): string {
  if (count === 0) {
    const name = packageOfKey(key, '@pipedream');
    const hint = name === undefined ? '' : `, such as npm:${name.split('/')[0] ?? ''}`;
    return `There is no component ${asked} here, and no registry is configured: add one with "weir registry add PLACE"${hint}, or give a file, or a folder with a workflow.yaml.`;
  }
  return nearest === undefined
    ? `No registry has a component ${asked}.`
    : `No registry has ${asked}; the nearest version is ${nearest}: write ${key}@${nearest} to take it.`;
}

async function inPackage(
  registries: Registries,
  { package: name, version, key }: Extract<Reference, { kind: 'npm' }>,
  signal: AbortSignal,
): Promise<Offer> {
  const registry = registries.npmFor(name);
  const { offers, others } = await registry
    .inPackage(name, version, key, undefined, signal)
    .catch((error: unknown) => {
      throw naming(registry.place, error);
    });
  const [offer, another] = offers;
  if (offer !== undefined && another === undefined) return offer;
  const asked = version === undefined ? name : `${name}@${version}`;
  if (offer === undefined) {
    const there = others.length === 0 ? '' : ' in this version of the package';
    throw new WeirError(
      'not_found',
      key === undefined
        ? `${registry.place} has no package ${asked} with components.`
        : `${registry.place} has no package ${asked} with a component ${key}${there}.`,
    );
  }
  const keys = offers.map((one) => one.key).sort();
  throw new WeirError(
    'conflict',
    `${asked} has ${keys.length} components; name one behind "#": ${keys.join(', ')}.`,
    keys.map((one) => ({ message: `npm:${asked}#${one}` })),
  );
}

/** A registry that fails says what is wrong with it, and not which one it is. */
export function naming(place: string, error: unknown): unknown {
  if (!WeirError.is(error, 'registry_failed')) return error;
  return new WeirError('registry_failed', `${place}: ${error.message}`, error.details, error);
}

async function inRepository(
  registries: Registries,
  { url, ref, path }: Extract<Reference, { kind: 'git' }>,
  signal: AbortSignal,
): Promise<Offer> {
  const repository = registries.repository(url);
  const offer = await gitRegistry(url, repository, ref)
    .at(path, signal)
    .catch((error: unknown) => {
      throw naming(url, error);
    });
  if (offer !== undefined) return offer;
  throw new WeirError(
    'bad_component',
    `${path} of ${url} is not there, or is not a component that says its key and type ("source" or "action") in plain text.`,
  );
}

/** A branch may have "/" in its name: the shortest one that the repository has, and that has the file, counts. */
async function ofPage(
  registries: Registries,
  { url, refAndPath }: Extract<Reference, { kind: 'page' }>,
  signal: AbortSignal,
): Promise<Offer> {
  const repository = registries.repository(url);
  await repository.refresh(signal, { mayBeOld: true, mayBeMinutesOld: false });
  const parts = refAndPath.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const ref = parts.slice(0, length).join('/');
    const commit = await repository.commit(ref, signal);
    if (commit === undefined) continue;
    const path = parts.slice(length).join('/');
    if ((await repository.tree(commit.id, signal)).paths.has(path)) {
      return inRepository(registries, { kind: 'git', url, ref: commit.id, path }, signal);
    }
  }
  throw new WeirError('not_found', `${url} has no branch or commit with the file ${refAndPath}.`);
}

/**
 * The reference of this component, for this user and for others: a component of a folder by its key and version,
 * because the folder's path differs elsewhere.
 */
export function referenceOf(offer: Offer): string {
  const { source, key, version, package: of, place, commit, path } = offer;
  if (source === 'git') {
    return formatReference({ kind: 'git', url: place, ...(commit && { ref: commit }), path });
  }
  return source === 'npm' && of !== undefined
    ? formatReference({ kind: 'npm', package: of.name, version: of.version, key })
    : `${key}@${version}`;
}

/** A reference that names this component and no other with its key. */
function placeOf(offer: Offer): string {
  return offer.source === 'folder' ? `${offer.place}/${offer.path}` : referenceOf(offer);
}
