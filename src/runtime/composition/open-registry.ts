/** Components of others, made and connected: where they are found, whom the user trusts, what was locked. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findNpm } from '../components/packages/npm.ts';
import type { Settings } from '../settings.ts';
import { cacheFolder } from '../registry/cache-folder.ts';
import { LockFile } from '../registry/lock.ts';
import { Places } from '../registry/places.ts';
import { Registries } from '../registry/registries.ts';
import { Registry } from '../registry/registry.ts';
import { TrustFile } from '../registry/trust-file.ts';

export interface OpenRegistryOptions {
  /** Of the user: their registries, and whom they trust. */
  readonly configFolder: string;
  /** The folder whose lock file counts. */
  readonly workspace: string;
  readonly settings: Settings;
  readonly now: () => number;
}

export interface RegistryParts {
  readonly places: Places;
  readonly registries: Registries;
  readonly registry: Registry;
}

/** Nothing is fetched before something is asked for. */
export function openRegistry(options: OpenRegistryOptions): RegistryParts {
  const { configFolder, workspace, settings, now } = options;
  const cache = cacheFolder({ env: process.env, home: homedir() });
  const npm = () => findNpm(settings['npm.path'] || undefined, process.env);
  const minimumAgeDays = settings['registry.minimumAgeDays'];
  const places = new Places({
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
  });
  return { places, registries, registry };
}
