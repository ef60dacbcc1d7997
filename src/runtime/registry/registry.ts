/** Components of others: found, asked about, fetched, locked. The one way from a reference to a file that may run. */
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { formatReference, type Reference } from '../../protocol/reference.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { AdHocPlaces } from '../base/ad-hoc-places.ts';
import type { Npm } from '../components/packages/npm.ts';
import { type ContributedApp, listContributedApps } from './contributed-apps.ts';
import { cachedOffer } from './cached-offer.ts';
import { type Cached, ComponentCache, hashIfAny } from './cache.ts';
import { closureOf } from './closure.ts';
import { type ManifestFacts, readManifestFacts } from './manifest-facts.ts';
import { entriesOf, type LockEntry, type LockFile } from './lock.ts';
import { isRelease, lockedOffer, updateOffer } from './locked-offer.ts';
import { requireNamed } from './defined.ts';
import { installDependencies, type LockedDependencies } from './npm/dependencies.ts';
import type { Offer, Version } from './offer.ts';
import { type Standing, standings } from './outdated.ts';
import { type ReadProp, readText } from '../components/read-text.ts';
import type { Registries } from './registries.ts';
import { type ForeignReference, naming, referenceOf, resolveOffer } from './resolve.ts';
import type { TrustFile } from './trust-file.ts';
import { isTooNew, questionToken, reasonsToAsk, type Trusted } from './trust.ts';
import { type Definer, presentTrustPrompt, formatTrustPrompt } from './trust-prompt.ts';
import { textOf } from './tree.ts';
import { fits } from './versions.ts';
import type { BaseServices } from '../base/services.ts';

export interface RegistryOptions extends Pick<BaseServices, 'now'> {
  readonly registries: Registries;
  readonly lock: LockFile;
  readonly trust: TrustFile;
  /** Folder of the user's cache. */
  readonly cache: string;
  /** The folder of the lock file. */
  readonly workspace: string;
  readonly minimumAgeDays: number;
  readonly npm: () => Promise<Npm>;
  /** Of the given apps: who defines each, if that is not a component of others. */
  readonly definers: (apps: readonly string[]) => Promise<ReadonlyMap<string, Definer>>;
}

/** A foreign component that may run. */
export interface Obtained {
  /** Absolute path of its file. */
  readonly path: string;
  readonly facts: ManifestFacts;
  readonly entry: LockEntry;
}

/** A version that was looked at. */
export interface ReadVersion {
  readonly facts: ManifestFacts;
  readonly props: readonly ReadProp[];
  readonly code: string;
}

export interface ObtainContext {
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Places that may be named although no registry is configured for them; none unless given. */
  readonly adHoc?: AdHocPlaces | undefined;
}

interface Question {
  readonly facts: ManifestFacts;
  readonly isYoung: boolean;
}

/** Somebody may think about several at once. */
const mostQuestions = 500;

export class Registry {
  readonly #options: RegistryOptions;
  readonly #cache: ComponentCache;
  readonly #questions = new Map<string, Question>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#cache = new ComponentCache(join(options.cache, 'components'));
  }

  /**
   * The lock first, then the registries (P27.5).
   * @param isUpdate whether what the lock says counts only where the reference names a version
   * @throws WeirError `trust_needed` with the question as its detail, `integrity_mismatch`, `not_found`, `conflict`,
   *   `bad_component`, `registry_failed`, `cancelled`
   */
  async obtain(reference: ForeignReference, context: ObtainContext): Promise<Obtained> {
    const entry = await this.#locked(reference);
    if (entry !== undefined) return this.#obtainLocked(entry, context);
    context.progress(`Looking for ${formatReference(reference)}`);
    const { signal, adHoc = 'none' } = context;
    const offer = await resolveOffer(this.#options.registries, reference, signal, adHoc);
    return this.#obtainOffer(offer, refOf(reference), undefined, context);
  }

  /**
   * Another version of what is locked; it is locked afterwards, beside the one before.
   * @throws WeirError as `obtain`
   */
  async take(offer: Offer, before: LockEntry, context: ObtainContext): Promise<Obtained> {
    const entries = await this.#options.lock.read();
    const locked = entries.find((one) => isRelease(one, offer));
    return this.#obtainOffer(offer, before.ref, locked, context);
  }

  async isLocked(offer: Offer): Promise<boolean> {
    return (await this.#options.lock.read()).some((one) => isRelease(one, offer));
  }

  /** The entry whose code a file of the cache is. @param path absolute */
  async entryAt(path: string): Promise<LockEntry | undefined> {
    for (const entry of await this.#options.lock.read()) {
      if ((await this.cached(entry))?.path === path) return entry;
    }
    return undefined;
  }

  /** @throws WeirError as `obtain` */
  obtainEntry(entry: LockEntry, context: ObtainContext): Promise<Obtained> {
    return this.#obtainLocked(entry, context);
  }

  /** Restores an entry that another one has replaced, or was added to. */
  async replace(entry: LockEntry, before: LockEntry): Promise<void> {
    await this.#options.lock.remove(entry);
    await this.#options.lock.add(before);
  }

  /** Takes an entry out of the lock; what was fetched stays in the cache. */
  release(entry: LockEntry): Promise<void> {
    return this.#options.lock.remove(entry);
  }

  /**
   * The version that an update would install.
   * @param to version or range of the component, or a reference; the newest allowed one if absent
   * @throws WeirError `not_found` with the nearest version, `bad_input`, `forbidden`, `registry_failed`, `cancelled`
   */
  target(
    entry: LockEntry,
    to: string | undefined,
    { signal, adHoc = 'none' }: Pick<ObtainContext, 'signal' | 'adHoc'>,
  ): Promise<Offer> {
    return updateOffer(this.#options, entry, to, signal, adHoc);
  }

  /** A version as its text and its package say it. Nothing is written, and nothing run. */
  async read(offer: Offer, signal: AbortSignal): Promise<ReadVersion> {
    const { closure } = await this.#open(offer, signal);
    const code = new TextDecoder().decode(closure.files.get(offer.path));
    const props = closure.texts.get(offer.path)?.props ?? [];
    return { facts: readManifestFacts(offer, closure), props, code };
  }

  /** The component of a lock entry, from the cache, otherwise from its registry; undefined if neither has it. */
  async readLocked(entry: LockEntry, signal: AbortSignal): Promise<ReadVersion | undefined> {
    const cached = await this.cached(entry);
    const code = cached && (await readFile(cached.path, 'utf8').catch(() => undefined));
    if (cached !== undefined && code !== undefined) {
      const props = (await readText(cached.path, code))?.props ?? [];
      return { facts: cached.facts, props, code };
    }
    const offer = await lockedOffer(this.#options, entry, signal).catch((error: unknown) => {
      if (WeirError.is(error, 'not_found')) return undefined;
      throw error;
    });
    return offer && this.read(offer, signal);
  }

  /** The locked component of a reference, if it is in the cache; it need not be allowed to run. */
  async offerHere(reference: ForeignReference): Promise<Offer | undefined> {
    const entry = await this.#locked(reference);
    const cached = entry && (await this.cached(entry));
    return entry && cached && cachedOffer(entry, cached);
  }

  /** The question that has to be answered before this is run; undefined if there is none. Nothing is written. */
  async questionAbout(offer: Offer, signal: AbortSignal) {
    return this.question((await this.read(offer, signal)).facts);
  }

  /** @throws WeirError `not_found` for a question that was not asked by this runtime */
  async say(token: string): Promise<void> {
    const question = this.#questions.get(token);
    if (question === undefined) {
      throw new WeirError(
        'not_found',
        'That is not a question of this runtime, or one of long ago: repeat the call, and take the token of its error.',
      );
    }
    await this.#options.trust.add(question.facts, question.isYoung);
  }

  /** File of a locked component in the cache; it need not be allowed to run. */
  async lockedFile(reference: ForeignReference): Promise<string | undefined> {
    const entry = await this.#locked(reference);
    if (entry === undefined) return undefined;
    return (await this.cached(entry))?.path;
  }

  /** The newest entry that the reference fits. @throws WeirError `not_found` */
  async entry(reference: ForeignReference): Promise<LockEntry> {
    const entry = await this.#locked(reference);
    if (entry !== undefined) return entry;
    throw new WeirError(
      'not_found',
      `weir.lock.json has no component ${formatReference(reference)}.`,
    );
  }

  /** The locked components, in the order of the lock file. */
  locked(): Promise<readonly LockEntry[]> {
    return this.#options.lock.read();
  }

  /** @param key only its entries */
  async standings(key: string | undefined, signal: AbortSignal): Promise<Standing[]> {
    const entries = await this.#options.lock.read();
    const asked = key === undefined ? entries : entriesOf(entries, key);
    return standings(this.#options, asked, signal);
  }

  /** The description of a lock entry in the cache; its component need not be allowed to run. */
  cached({ integrity, dependenciesHash, file }: LockEntry): Promise<Cached | undefined> {
    return this.#cache.find(integrity, dependenciesHash, file);
  }

  /**
   * The definitions of apps in components of others: in locked ones, and in deployed ones.
   * @param deployed absolute paths of files of components, among them those of the cache
   */
  async brought(deployed: readonly string[]): Promise<ContributedApp[]> {
    const entries = await this.#options.lock.read();
    const found = await Promise.all([
      ...entries.map((entry) => this.cached(entry)),
      ...deployed.map((path) => this.#cache.at(path)),
    ]);
    return listContributedApps(found.filter((one) => one !== undefined));
  }

  async trusted(): Promise<readonly Trusted[]> {
    return this.#options.trust.read();
  }

  /** @throws WeirError `not_found` for a publisher that nobody has allowed */
  async forget(publisher: string, registry: string | undefined): Promise<void> {
    if (await this.#options.trust.forget(publisher, registry)) return;
    throw new WeirError('not_found', `The publisher "${publisher}" is not trusted.`);
  }

  /** Versions of its key in the registry that offers it, newest first. */
  versions(offer: Offer, signal: AbortSignal): Promise<readonly Version[]> {
    return this.#options.registries.of(offer).versions(offer.key, signal);
  }

  async #obtainLocked(entry: LockEntry, context: ObtainContext): Promise<Obtained> {
    const cached = await this.cached(entry);
    if (cached !== undefined) return this.#allowed(cached, entry);
    context.progress(`Fetching ${entry.key} ${entry.version}`);
    const offer = await lockedOffer(this.#options, entry, context.signal).catch(
      (error: unknown) => {
        throw naming(
          `${entry.key} ${entry.version} is locked, and not in the cache of this machine; ${entry.registry}`,
          error,
        );
      },
    );
    return this.#obtainOffer(offer, entry.ref, entry, context);
  }

  async #obtainOffer(
    offer: Offer,
    ref: string | undefined,
    locked: LockEntry | undefined,
    context: ObtainContext,
  ): Promise<Obtained> {
    const { signal } = context;
    const { closure, files } = await this.#open(offer, signal);
    const facts = readManifestFacts(offer, closure);
    requireSame(facts, locked);
    await this.#require(facts);
    const name = `${offer.key} ${offer.version}`;
    const install = async (folder: string): Promise<LockedDependencies> => {
      if (Object.keys(facts.dependencies).length === 0) return {};
      context.progress(`Installing the packages of ${name}`);
      const { dependencies } = facts;
      const request = { folder, dependencies, locked: locked?.dependencies, component: name };
      return installDependencies(await this.#options.npm(), request, signal);
    };
    const cached = await this.#cache.add(facts, offer.path, files, install);
    const entry = locked ?? this.#entryOf(offer, ref, cached);
    await this.#options.lock.add(entry);
    return { path: cached.path, facts, entry };
  }

  async #open(offer: Offer, signal: AbortSignal) {
    const tree = await offer.tree(signal);
    const closure = await closureOf(tree, offer.path, signal);
    const [text] = closure.texts.values();
    requireClaims(offer, text);
    if (offer.source === 'npm') {
      requireNamed((await textOf(tree, 'package.json', signal)) ?? '{}', tree.paths);
    }
    const files = offer.source === 'npm' ? await tree.read([...tree.paths], signal) : closure.files;
    return { closure, files };
  }

  async #allowed({ path, facts }: Cached, entry: LockEntry): Promise<Obtained> {
    await this.#require(facts);
    return { path, facts, entry };
  }

  /** @throws WeirError `trust_needed` */
  async #require(facts: ManifestFacts): Promise<void> {
    const question = await this.question(facts);
    if (question === undefined) return;
    throw new WeirError('trust_needed', formatTrustPrompt(question), [
      { message: question.reasons.join(' '), ...question },
    ]);
  }

  async question(facts: ManifestFacts) {
    const { trust, minimumAgeDays, now } = this.#options;
    const reasons = reasonsToAsk(await trust.read(), facts, minimumAgeDays, now());
    if (reasons.length === 0) return undefined;
    const token = questionToken(facts, reasons);
    const isYoung = isTooNew(facts, minimumAgeDays, now());
    this.#questions.set(token, { facts, isYoung });
    for (const [oldest] of this.#questions) {
      if (this.#questions.size <= mostQuestions) break;
      this.#questions.delete(oldest);
    }
    const definers = await this.#options.definers(facts.defines.map(({ app }) => app));
    return presentTrustPrompt(facts, { token, isYoung, reasons, definers });
  }

  /** The newest entry that the reference fits. */
  async #locked(reference: Reference): Promise<LockEntry | undefined> {
    const entries = await this.#options.lock.read();
    switch (reference.kind) {
      case 'key':
        return entriesOf(entries, reference.key, (one) => fits(one, reference.version))[0];
      case 'npm':
        return entries.find(
          (one) =>
            one.package === reference.package &&
            (reference.key === undefined || one.key === reference.key) &&
            fits(one.packageVersion ?? '', reference.version),
        );
      case 'git':
        return entries.find(
          (one) =>
            one.registry === reference.url &&
            one.file === reference.path &&
            (one.ref === (reference.ref ?? '') || one.commit === reference.ref),
        );
      case 'page':
        return entries.find((one) => one.ref === refOf(reference));
      case 'file':
        return undefined;
    }
  }

  #entryOf(offer: Offer, ref: string | undefined, { facts, dependencies }: Cached): LockEntry {
    const hash = hashIfAny(dependencies);
    return {
      key: offer.key,
      version: offer.version,
      source: offer.source,
      registry: offer.source === 'folder' ? this.#portable(offer.place) : offer.place,
      ...(offer.package && { package: offer.package.name, packageVersion: offer.package.version }),
      ...(offer.commit !== undefined && { commit: offer.commit }),
      ...(ref !== undefined && { ref }),
      file: offer.path,
      integrity: facts.integrity,
      ...(facts.license !== undefined && { license: facts.license }),
      provenance: facts.provenance,
      publisher: offer.publisher === offer.place ? 'registry' : offer.publisher,
      ...(hash !== undefined && { dependenciesHash: hash, dependencies: { ...dependencies } }),
    };
  }

  /** Others have the workspace at another path. */
  #portable(folder: string): string {
    return relative(this.#options.workspace, folder).split(sep).join('/') || '.';
  }
}

/** Identifies the same reference at a later deploy; undefined if the key identifies it. */
function refOf(reference: Reference): string | undefined {
  if (reference.kind === 'git') return reference.ref ?? '';
  return reference.kind === 'page' ? `${reference.url} ${reference.refAndPath}` : undefined;
}

function requireSame(facts: ManifestFacts, locked: LockEntry | undefined): void {
  if (locked === undefined || locked.integrity === facts.integrity) return;
  throw new WeirError(
    'integrity_mismatch',
    `${locked.key} ${locked.version} of ${facts.registry} has other bytes than weir.lock.json says: it was published again, or changed. Nothing of it was run. Look at what changed, and remove its entry from weir.lock.json to take it.`,
    [{ message: `locked: ${locked.integrity}` }, { message: `fetched: ${facts.integrity}` }],
  );
}

/** Checks that a package's description of a component agrees with its file. */
function requireClaims(
  offer: Offer,
  text:
    | {
        readonly key?: string | undefined;
        readonly version?: string | undefined;
        readonly type?: string | undefined;
      }
    | undefined,
): void {
  for (const name of ['key', 'version', 'type'] as const) {
    const said = text?.[name] ?? (name === 'version' ? '0.0.0' : undefined);
    if (said === offer[name]) continue;
    throw new WeirError(
      'bad_component',
      `${referenceOf(offer)} is offered with the ${name} "${offer[name]}", and its file ${offer.path} says ${said === undefined ? 'none in plain text' : `"${said}"`}: it is not taken.`,
    );
  }
}
