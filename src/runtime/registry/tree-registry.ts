/** A repository or a folder as a registry: components where the platform's layout has them, read and never run. */
import { readText } from '../components/read-text.ts';
import { appOfKey, type Placed, placedIn, plainKey } from './layout.ts';
import { licenseOf } from './license.ts';
import {
  type ComponentRegistry,
  type Found,
  matches,
  type Offer,
  type Query,
  type Version,
} from './offer.ts';
import { licenseNames, licenseTexts, manifestNames, nearest, type Tree } from './tree.ts';
import { fits, highest, newestFirst } from './versions.ts';

/** The files as they are at one time. */
export interface Snapshot {
  readonly tree: Tree;
  readonly commit: { readonly id: string; readonly at: number } | undefined;
}

/** A version of a file in the past. */
export interface PastFile {
  readonly commit: { readonly id: string; readonly at: number };
  readonly code: string;
  readonly tree: (signal: AbortSignal) => Promise<Tree>;
}

export interface TreeSource {
  readonly source: 'git' | 'folder';
  readonly name: string;
  readonly place: string;
  /** @param isListed for a list of components, which may be some minutes old */
  snapshot(signal: AbortSignal, isListed: boolean): Promise<Snapshot>;
  /** Newest first, the present one included; none where there is no history. */
  history(path: string, signal: AbortSignal): Promise<readonly PastFile[]>;
}

/** Up to this many files, all texts are read for a search; beyond that, only files whose path fits. */
const mostRead = 1500;

export class TreeRegistry implements ComponentRegistry {
  readonly name: string;
  readonly place: string;
  readonly #source: TreeSource;

  constructor(source: TreeSource) {
    this.name = source.name;
    this.place = source.place;
    this.#source = source;
  }

  async search(query: Query, signal: AbortSignal): ReturnType<ComponentRegistry['search']> {
    const snapshot = await this.#source.snapshot(signal, true);
    const placed = placedIn(snapshot.tree.paths).filter(
      ({ key, type }) =>
        (query.type === undefined || type === query.type) &&
        (query.app === undefined || key === undefined || key.startsWith(`${query.app}-`)),
    );
    const byPath = ({ path }: Placed): boolean =>
      query.words.every((word) => path.toLowerCase().includes(word));
    const looked = placed.length > mostRead ? placed.filter(byPath).slice(0, query.limit) : placed;
    const offers: Offer[] = [];
    for (const offer of await this.#offers(snapshot, looked, signal)) {
      if (offers.length < query.limit && matches(query, offer)) offers.push(offer);
    }
    return { offers, packages: [] };
  }

  async find(key: string, wanted: string | undefined, signal: AbortSignal): Promise<Found> {
    const snapshot = await this.#source.snapshot(signal, false);
    const plain = plainKey(key);
    const placed = placedIn(snapshot.tree.paths);
    const isIt = (offer: Offer): boolean => offer.key === key || offer.key === plain;
    const expected = placed.filter((one) => one.key === plain);
    let found = (await this.#offers(snapshot, expected, signal)).filter(isIt);
    if (found.length === 0) {
      // A few components are in a folder with another name than in their key.
      const app = appOfKey(plain);
      const ofApp = placed.filter((one) => one.key === undefined || appOfKey(one.key) === app);
      found = (await this.#offers(snapshot, ofApp.slice(0, mostRead), signal)).filter(isIt);
    }
    if (wanted === undefined || found.some(({ version }) => fits(version, wanted))) {
      const fitting = found.filter(({ version }) => fits(version, wanted));
      return { offers: fitting, others: found.map(versionOf) };
    }
    const past = await this.#past(found, signal);
    const version = highest(
      past.map((one) => one.version),
      wanted,
    );
    const offer = past.find((one) => one.version === version);
    return { offers: offer === undefined ? [] : [offer], others: past.map(versionOf) };
  }

  async versions(key: string, signal: AbortSignal): Promise<readonly Version[]> {
    const { offers } = await this.find(key, undefined, signal);
    const past = await this.#past(offers, signal);
    const all = past.length > 0 ? past : offers;
    return all.map(versionOf).sort((a, b) => newestFirst(a.version, b.version));
  }

  /** A component at this path, also outside of the layout; undefined if the text is not a component. */
  async at(path: string, signal: AbortSignal): Promise<Offer | undefined> {
    const snapshot = await this.#source.snapshot(signal, false);
    const type = path.split('/').includes('sources') ? 'source' : 'action';
    const [offer] = await this.#offers(snapshot, [{ path, type, key: undefined }], signal);
    return offer;
  }

  async #offers(
    { tree, commit }: Snapshot,
    placed: readonly Placed[],
    signal: AbortSignal,
  ): Promise<Offer[]> {
    const texts = await tree.read(
      placed.map(({ path }) => path),
      signal,
    );
    const offers: Offer[] = [];
    const licenses = new Map<string, string | undefined>();
    for (const { path } of placed) {
      const code = texts.get(path);
      const read = code && (await readText(path, new TextDecoder().decode(code)));
      if (!read) continue;
      const { key, version, type, name, description } = read;
      if (key === undefined || (type !== 'source' && type !== 'action')) continue;
      const license = await this.#license(tree, path, licenses, signal);
      offers.push({
        ...this.#base(commit),
        key,
        version: version ?? '0.0.0',
        type,
        name,
        description,
        license,
        path,
        tree: () => Promise.resolve(tree),
      });
    }
    return offers;
  }

  #base(
    commit: Snapshot['commit'],
  ): Omit<
    Offer,
    'key' | 'version' | 'type' | 'name' | 'description' | 'license' | 'path' | 'tree'
  > {
    const { source, name: registry, place } = this.#source;
    return {
      source,
      registry,
      place,
      publisher: place,
      package: undefined,
      commit: commit?.id,
      publishedAt: commit?.at,
      deprecated: undefined,
      provenance: false,
      integrity: undefined,
    };
  }

  async #license(
    tree: Tree,
    path: string,
    known: Map<string, string | undefined>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const manifest = nearest(tree, path, manifestNames);
    const file = nearest(tree, path, licenseNames);
    const id = `${manifest ?? ''}\n${file ?? ''}`;
    if (!known.has(id)) {
      const texts = await licenseTexts(tree, path, signal);
      known.set(id, licenseOf(texts.manifest, texts.file).name);
    }
    return known.get(id);
  }

  /** Each version once, as the commit that made it had it; newest first. */
  async #past(offers: readonly Offer[], signal: AbortSignal): Promise<Offer[]> {
    const found = new Map<string, Offer>();
    for (const offer of offers) {
      for (const { commit, code, tree } of await this.#source.history(offer.path, signal)) {
        const read = await readText(offer.path, code);
        const version = read?.version;
        if (read?.key !== offer.key || version === undefined || found.has(version)) continue;
        const { name, description } = read;
        const at = { ...this.#base(commit), commit: commit.id, publishedAt: commit.at };
        found.set(version, { ...offer, ...at, version, name, description, tree });
      }
    }
    return [...found.values()];
  }
}

function versionOf({ version, commit, publishedAt, package: of }: Offer): Version {
  return { version, commit, publishedAt, packageVersion: of?.version };
}
