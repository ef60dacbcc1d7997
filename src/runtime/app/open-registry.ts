/** Components of others, made and connected: where they are found, whom the user trusts, what was locked. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findNpm } from '../components/packages/npm.ts';
import { cacheFolder } from '../../protocol/cache-folder.ts';
import { isInFolder } from '../registry/is-in-folder.ts';
import { LockFile } from '../registry/lock.ts';
import { RegistrySources } from '../registry/registry-sources.ts';
import { Registries } from '../registry/registries.ts';
import { Registry, type RegistryOptions } from '../registry/registry.ts';
import { TrustFile } from '../registry/trust-file.ts';
import type { BaseServices } from '../base/services.ts';

export interface OpenRegistryOptions
  extends Pick<RegistryOptions, 'definers'>, Pick<BaseServices, 'settings' | 'now'> {
  /** The user's folder: their registries, and whom they trust. */
  readonly configFolder: string;
  /** The folder whose lock file counts. */
  readonly workspace: string;
}

export interface RegistryParts {
  readonly places: RegistrySources;
  readonly registries: Registries;
  readonly registry: Registry;
}

/** Whether a file is one that was fetched from a registry. @param path absolute */
export function isFetched(path: string): boolean {
  return isInFolder(userCache(), path);
}

function userCache(): string {
  return cacheFolder({ env: process.env, home: homedir() });
}

/** Nothing is fetched before something is asked for. */
export function openRegistry(options: OpenRegistryOptions): RegistryParts {
  const { configFolder, workspace, settings, now } = options;
  const cache = userCache();
  const npm = () => findNpm(settings['npm.path'] || undefined, process.env);
  const minimumAgeDays = settings['registry.minimumAgeDays'];
  const places = new RegistrySources({
    userFile: join(configFolder, 'registries.json'),
    workspace,
    setting: settings.registries,
  });
  const registries = new Registries({ places, cache, npm, minimumAgeDays, now });
  const registry = new Registry({
    registries,
    lock: new LockFile(join(workspace, 'weir.lock.json')),
    trust: new TrustFile(join(configFolder, 'trust.json')),
    cache,
    workspace,
    minimumAgeDays,
    npm,
    now,
    definers: options.definers,
  });
  return { places, registries, registry };
}
