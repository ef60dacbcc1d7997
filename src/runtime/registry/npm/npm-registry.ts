/** An npm registry, or one scope of it, as a registry of components. */
import { WeirError } from '../../../protocol/errors.ts';
import { appKeyword, componentKeyword } from '../../../protocol/component-package.ts';
import {
  type ComponentPackage,
  componentPackage,
  type PackagedComponent,
} from '../../../protocol/schemas/component-package.ts';
import { own } from '../../../protocol/own.ts';
import { appOfKey, packageOfKey, placedIn, plainKey } from '../layout.ts';
import { eachOf } from '../../base/each-of.ts';
import { licenseOf } from '../license.ts';
import {
  type ComponentRegistry,
  type Found,
  matches,
  type Offer,
  type OfferedPackage,
  type Query,
  type Version,
} from '../offer.ts';
import { readText } from '../../components/read-text.ts';
import { licenseNames, manifestNames, textOf, type Tree } from '../tree.ts';
import { fits, highest, isExact, isNewer, newestFirst } from '../versions.ts';
import type { FoundPackage, Manifest, NpmClient } from './client.ts';
import { tarballTree } from './tarball-tree.ts';
import type { BaseServices } from '../../base/services.ts';

export interface NpmRegistryOptions extends Pick<BaseServices, 'now'> {
  readonly name: string;
  readonly client: NpmClient;
  readonly scope: string | undefined;
  /** Without one that of the user's npm for the scope. */
  readonly url: string | undefined;
  readonly minimumAgeDays: number;
}

/** Each is asked for by a program of its own; what is beyond is shown without what is in it. */
const mostLookedInto = 12;
/** Of the five seconds that a registry has for a search, looking into packages may take this long. */
const lookingMs = 4000;
/** The most results that npm returns for a search. */
const mostFound = 250;
const dayMs = 24 * 3600_000;

export class NpmRegistry implements ComponentRegistry {
  readonly name: string;
  readonly place: string;
  readonly #options: NpmRegistryOptions;

  constructor(options: NpmRegistryOptions) {
    this.#options = options;
    this.name = options.name;
    this.place = options.url ?? `npm${options.scope === undefined ? '' : `:${options.scope}`}`;
  }

  async search(query: Query, signal: AbortSignal): ReturnType<ComponentRegistry['search']> {
    const begun = this.#options.now();
    const place = await this.#url(signal);
    const text = [...query.words, ...(query.app === undefined ? [] : [query.app])].join(' ');
    // The search text need not contain the app, because results are filtered by it here.
    const plain = query.words.length > 0 ? query.words.join(' ') : text;
    const found = await this.#found(
      place,
      [`keywords:${componentKeyword} ${text}`.trim(), plain],
      signal,
    );
    const [into, beyond] = [found.slice(0, mostLookedInto), found.slice(mostLookedInto)];
    const packages: OfferedPackage[] = beyond.map((one) => this.#presented(place, one));
    const offers: Offer[] = [];
    const left = Math.max(0, lookingMs - (this.#options.now() - begun));
    const looking = AbortSignal.any([signal, AbortSignal.timeout(left)]);
    await eachOf(into, async (one) => {
      // A package that does not answer in time, or whose answer cannot be read, is shown as the search result describes
      // it.
      const manifest = looking.aborted
        ? undefined
        : await this.#options.client
            .view(place, one.name, undefined, looking)
            .catch(() => undefined);
      const map = manifest && readableMap(manifest);
      if (manifest === undefined || map === undefined) packages.push(this.#presented(place, one));
      else offers.push(...this.#mapped(place, manifest, map));
    });
    const said = new Map(found.map((one) => [one.name, wordsOf(one)]));
    const isWanted = (offer: Offer): boolean =>
      matches(query, {
        ...offer,
        // A package that fits shows what is in it.
        description: `${offer.description ?? ''} ${said.get(offer.package?.name ?? '') ?? ''}`,
      });
    return {
      offers: offers.filter(isWanted).slice(0, query.limit),
      packages: query.type === undefined ? packages.slice(0, query.limit) : [],
    };
  }

  async find(key: string, wanted: string | undefined, signal: AbortSignal): Promise<Found> {
    const { scope } = this.#options;
    const place = await this.#url(signal);
    const keyScope = /^(@[^/]+)\//.exec(key)?.[1];
    if (keyScope !== undefined && scope !== undefined && keyScope !== scope) return nothing;
    const names = new Set<string>();
    const conventional = packageOfKey(key, scope);
    if (conventional !== undefined) names.add(conventional);
    const plain = plainKey(key);
    const app = appOfKey(key) ?? plain;
    const asked = [`keywords:${appKeyword(app)}`, app];
    const listed = await this.#found(place, asked, signal).catch((error: unknown) => {
      // A registry without search still has the named packages.
      if (names.size > 0 && WeirError.is(error, 'registry_failed')) return [];
      throw error;
    });
    for (const one of listed.slice(0, mostLookedInto)) {
      if (keyScope === undefined || one.name.startsWith(`${keyScope}/`)) names.add(one.name);
    }
    const found: Found[] = [];
    await eachOf([...names], async (name) => {
      found.push(await this.inPackage(name, undefined, plain, wanted, signal));
    });
    return {
      offers: found.flatMap(({ offers }) => offers),
      others: found.flatMap(({ others }) => others),
    };
  }

  async versions(key: string, signal: AbortSignal): Promise<readonly Version[]> {
    const { others } = await this.find(key, undefined, signal);
    return [...others].sort((a, b) => newestFirst(a.version, b.version));
  }

  /**
   * The components of a package.
   * @param wantedPackage version, range or tag of the package; the newest that is old enough without one
   * @param key only this one
   * @param wanted version or range of the component
   */
  async inPackage(
    name: string,
    wantedPackage: string | undefined,
    key: string | undefined,
    wanted: string | undefined,
    signal: AbortSignal,
  ): Promise<Found> {
    const place = await this.#url(signal);
    const { client } = this.#options;
    const latest = await client.view(place, name, undefined, signal);
    if (latest === undefined) return nothing;
    const isIt = (offer: Offer): boolean => key === undefined || offer.key === key;
    const version = this.#pick(latest, wantedPackage);
    if (version === undefined) return nothing;
    const manifest = await this.#at(place, latest, version, signal);
    const present = manifest === undefined ? [] : await this.#components(place, manifest, signal);
    const offers = present.filter((one) => isIt(one) && fits(one.version, wanted));
    const past = key === undefined ? [] : await this.#past(place, latest, key, signal);
    const all = past.length > 0 ? past : present.filter(isIt).map(versionOf);
    if (wanted === undefined || offers.length > 0 || wantedPackage !== undefined) {
      return { offers, others: all };
    }
    const best = highest([...new Set(all.map((one) => one.version))], wanted);
    const at = all.find((one) => one.version === best)?.packageVersion;
    const older = at === undefined ? undefined : await this.#at(place, latest, at, signal);
    if (older === undefined) return { offers: [], others: all };
    const components = await this.#components(place, older, signal);
    return { offers: components.filter((one) => isIt(one) && one.version === best), others: all };
  }

  /**
   * The registry's current data for one version of a package; undefined if it was unpublished.
   * @throws WeirError `registry_failed`, `cancelled`
   */
  async release(
    name: string,
    version: string,
    signal: AbortSignal,
  ): Promise<Pick<Manifest, 'deprecated' | 'integrity'> | undefined> {
    return this.#options.client.viewNow(await this.#url(signal), name, version, signal);
  }

  /** @throws WeirError `registry_failed`, `cancelled` */
  async hasPackage(name: string, signal: AbortSignal): Promise<boolean> {
    const place = await this.#url(signal);
    return (await this.#options.client.view(place, name, undefined, signal)) !== undefined;
  }

  async #url(signal: AbortSignal): Promise<string> {
    const { url, client, scope } = this.#options;
    return url ?? client.registryOf(scope, signal);
  }

  /** Packages that say they have components. Some registries search by keyword, others in names and descriptions only. */
  async #found(
    place: string,
    asked: readonly string[],
    signal: AbortSignal,
  ): Promise<FoundPackage[]> {
    const { client, scope } = this.#options;
    const answers = await Promise.all(
      // npm searches for nothing without a word; descriptions of packages of components have this one.
      asked.map((one) => client.search(place, one === '' ? 'weir' : one, mostFound, signal)),
    );
    const found = new Map<string, FoundPackage>();
    for (const one of answers.flat()) {
      const isOne = one.keywords.includes(componentKeyword) || one.keywords.includes('pipedream');
      if (isOne && (scope === undefined || one.name.startsWith(`${scope}/`))) {
        found.set(one.name, one);
      }
    }
    return [...found.values()];
  }

  /** The newest of a range that is old enough; what is named exactly, or by a tag, is asked about instead. */
  #pick(latest: Manifest, wanted: string | undefined): string | undefined {
    const { minimumAgeDays, now } = this.#options;
    if (wanted !== undefined && isExact(wanted)) {
      return latest.versions.includes(wanted) ? wanted : undefined;
    }
    const tagged = wanted === undefined ? undefined : own(latest.tags, wanted);
    if (tagged !== undefined) return tagged;
    const newest = latest.tags['latest'] ?? latest.version;
    const isOld = (version: string): boolean => {
      const at = own(latest.times, version);
      return at === undefined || now() - at >= minimumAgeDays * dayMs;
    };
    const known = latest.versions.filter((one) => wanted !== undefined || !isNewer(one, newest));
    const oldEnough = highest(known.filter(isOld), wanted);
    if (wanted === undefined) return isOld(newest) ? newest : (oldEnough ?? newest);
    return oldEnough ?? highest(known, wanted);
  }

  async #at(
    place: string,
    latest: Manifest,
    version: string,
    signal: AbortSignal,
  ): Promise<Manifest | undefined> {
    if (version === latest.version) return latest;
    return this.#options.client.view(place, latest.name, version, signal);
  }

  async #components(place: string, manifest: Manifest, signal: AbortSignal): Promise<Offer[]> {
    const map = mapOf(manifest);
    return map === undefined
      ? this.#unmapped(place, manifest, signal)
      : this.#mapped(place, manifest, map);
  }

  #mapped(place: string, manifest: Manifest, { components }: ComponentPackage): Offer[] {
    return Object.entries(components).map(([key, { file, type, version, name, description }]) => ({
      ...this.#base(place, manifest),
      key,
      version,
      type,
      name,
      description,
      license: manifest.license,
      path: file,
    }));
  }

  /** The platform's packages have no map: the files say what they are. */
  async #unmapped(place: string, manifest: Manifest, signal: AbortSignal): Promise<Offer[]> {
    const base = this.#base(place, manifest);
    const tree = await base.tree(signal);
    const app = manifest.name.split('/').at(-1);
    const license = licenseOf(
      await firstText(tree, manifestNames, signal),
      await firstText(tree, licenseNames, signal),
    ).name;
    const offers: Offer[] = [];
    for (const { path } of placedIn(tree.paths, app)) {
      const text = await textOf(tree, path, signal);
      const read = text === undefined ? undefined : await readText(path, text);
      if (read?.key === undefined || (read.type !== 'source' && read.type !== 'action')) continue;
      const { key, version = '0.0.0', type, name, description } = read;
      offers.push({ ...base, key, version, type, name, description, license, path });
    }
    return offers;
  }

  #base(place: string, manifest: Manifest) {
    const { client, name: registry } = this.#options;
    const { name, version, integrity } = manifest;
    let tree: Promise<Tree> | undefined;
    return {
      source: 'npm' as const,
      registry,
      place,
      publisher: manifest.publisher,
      package: { name, version },
      commit: undefined,
      publishedAt: own(manifest.times, version),
      deprecated: manifest.deprecated,
      provenance: manifest.provenance,
      integrity,
      tree: (signal: AbortSignal): Promise<Tree> => {
        tree ??= client
          .tarball(place, name, version, integrity, signal)
          .then((bytes) => tarballTree(bytes, `${name}@${version}`));
        return tree;
      },
    };
  }

  /** The versions of a component that the maps of the package's versions name. */
  async #past(
    place: string,
    latest: Manifest,
    key: string,
    signal: AbortSignal,
  ): Promise<Version[]> {
    if (mapOf(latest) === undefined) return [];
    const maps = await this.#options.client.maps(place, latest.name, signal);
    return maps
      .flatMap(({ version, weir }) => {
        const parsed = componentPackage.safeParse(weir);
        const one: PackagedComponent | undefined = parsed.success
          ? own(parsed.data.components, key)
          : undefined;
        if (one === undefined) return [];
        const publishedAt = own(latest.times, version);
        return [{ version: one.version, packageVersion: version, commit: undefined, publishedAt }];
      })
      .toReversed();
  }

  #presented(place: string, found: FoundPackage): OfferedPackage {
    const { name, version, description, publisher, publishedAt } = found;
    const registry = this.#options.name;
    return { package: { name, version }, description, registry, place, publisher, publishedAt };
  }
}

/** A package's words about itself, without the keywords that all of them have. */
function wordsOf({ name, description = '', keywords }: FoundPackage): string {
  return [name, description, ...keywords.filter((one) => !one.startsWith('weir-'))].join(' ');
}

const nothing: Found = { offers: [], others: [] };

/**
 * @returns undefined for a package without a map
 * @throws WeirError `bad_component` for an invalid map
 */
function mapOf({ name, version, weir }: Manifest): ComponentPackage | undefined {
  if (weir === undefined) return undefined;
  const parsed = componentPackage.safeParse(weir);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new WeirError(
    'bad_component',
    `What package.json of ${name}@${version} says of its components cannot be read: weir.${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. It is not taken.`,
  );
}

function readableMap(manifest: Manifest): ComponentPackage | undefined {
  try {
    return mapOf(manifest);
  } catch {
    return undefined;
  }
}

function versionOf({ version, commit, publishedAt, package: of }: Offer): Version {
  return { version, commit, publishedAt, packageVersion: of?.version };
}

async function firstText(
  tree: Tree,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = names.find((one) => tree.paths.has(one));
  return name === undefined ? undefined : textOf(tree, name, signal);
}
