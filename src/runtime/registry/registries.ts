/** The configured registries, opened; a repository is opened once. */
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { folderRegistry } from './folder/folder-registry.ts';
import { gitRegistry } from './git/git-registry.ts';
import { Repository } from './git/repository.ts';
import { NpmClient } from './npm/client.ts';
import { NpmRegistry } from './npm/npm-registry.ts';
import type { ForeignReference } from '../components/origin.ts';
import type { Npm } from '../components/packages/npm.ts';
import type { ComponentRegistry, Offer } from './offer.ts';
import {
  type ConfiguredRegistry,
  type RegistrySource,
  type RegistrySources,
  unknownRegistry,
} from './registry-sources.ts';
import type { BaseServices } from '../base/services.ts';

export interface RegistriesOptions extends Pick<BaseServices, 'now'> {
  readonly places: RegistrySources;
  /** Folder of the user's cache. */
  readonly cache: string;
  readonly npm: () => Promise<Npm>;
  readonly minimumAgeDays: number;
}

export class Registries {
  readonly #options: RegistriesOptions;
  readonly #repositories = new Map<string, Repository>();
  readonly #client: NpmClient;

  constructor(options: RegistriesOptions) {
    this.#options = options;
    this.#client = new NpmClient({ npm: options.npm, folder: join(options.cache, 'npm') });
  }

  /** @throws WeirError for a file of places that cannot be read */
  all(): ComponentRegistry[] {
    return this.#options.places.all().map((one) => this.open(one));
  }

  /** @throws WeirError `not_found` with the names that there are */
  named(name: string): ComponentRegistry {
    const all = this.#options.places.all();
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw unknownRegistry(name, all);
    return this.open(found);
  }

  open({ name, place }: Pick<ConfiguredRegistry, 'name' | 'place'>): ComponentRegistry {
    switch (place.kind) {
      case 'folder':
        return folderRegistry(name, place.path);
      case 'git':
        return gitRegistry(name, this.repository(place.url), place.ref);
      case 'npm':
        return this.#npm(name, place);
      case 'unusable':
        return unusableRegistry(name, place.why);
    }
  }

  /** The registry that an offer is of as it is now, also when nobody configured it. */
  of({ source, registry: name, place, package: of }: Offer): ComponentRegistry {
    const known = this.#options.places.all().find((one) => one.name === name);
    if (known?.place.kind === source) return this.open(known);
    switch (source) {
      case 'folder':
        return this.open({ name, place: { kind: 'folder', path: place } });
      case 'git':
        return this.open({ name, place: { kind: 'git', url: place, ref: undefined } });
      case 'npm':
        return this.npmAt(place, of?.name);
    }
  }

  /** The npm registry that has a package: one that is configured for its scope, one for all, else that of the user's npm. */
  npmFor(name: string): NpmRegistry {
    const scope = scopeOf(name);
    const npm = this.#options.places
      .all()
      .flatMap(({ name: called, place }) => (place.kind === 'npm' ? [{ called, place }] : []));
    const configured =
      npm.find(({ place }) => place.scope !== undefined && place.scope === scope) ??
      npm.find(({ place }) => place.scope === undefined);
    return configured === undefined
      ? this.#npm('npm', { kind: 'npm', scope, url: undefined })
      : this.#npm(configured.called, configured.place);
  }

  /** Whether a registry is configured for the place that a reference names. */
  isConfigured(reference: ForeignReference): boolean {
    const places = this.#options.places.all().map(({ place }) => place);
    switch (reference.kind) {
      case 'key':
        return true;
      case 'npm': {
        const scope = scopeOf(reference.package);
        return places.some(
          (place) => place.kind === 'npm' && (place.scope === undefined || place.scope === scope),
        );
      }
      case 'git':
      case 'page':
        return places.some((place) => place.kind === 'git' && place.url === reference.url);
    }
  }

  /** @param name of a package, whose scope counts */
  npmAt(url: string, name: string | undefined): NpmRegistry {
    return this.#npm(new URL(url).hostname, { kind: 'npm', scope: scopeOf(name ?? ''), url });
  }

  #npm(name: string, { scope, url }: Extract<RegistrySource, { kind: 'npm' }>): NpmRegistry {
    const { minimumAgeDays, now } = this.#options;
    return new NpmRegistry({ name, client: this.#client, scope, url, minimumAgeDays, now });
  }

  /** That of the configured registry of a repository. */
  branchOf(url: string): string | undefined {
    const places = this.#options.places.all().map(({ place }) => place);
    const found = places.find((place) => place.kind === 'git' && place.url === url);
    return found?.kind === 'git' ? found.ref : undefined;
  }

  repository(url: string): Repository {
    const known = this.#repositories.get(url);
    if (known !== undefined) return known;
    const { cache, now } = this.#options;
    const made = new Repository(url, join(cache, 'git'), now);
    this.#repositories.set(url, made);
    return made;
  }
}

/** Says why when it is asked, so that the others answer. */
function unusableRegistry(name: string, why: string): ComponentRegistry {
  const refuse = (): Promise<never> => Promise.reject(new WeirError('registry_failed', why));
  return { name, place: '', search: refuse, find: refuse, versions: refuse };
}

function scopeOf(name: string): string | undefined {
  return /^@[^/]+/.exec(name)?.[0];
}
