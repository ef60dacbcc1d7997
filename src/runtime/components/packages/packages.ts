import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { temporaryIn } from '../../base/temporary-folders.ts';
import { type InstallPolicy, requireInstall } from '../../base/install-policy.ts';
import type { LinkNames } from './links.ts';
import { declaredVersion, nearestNpmrc, readPackageJson } from './node-modules.ts';
import {
  findNpm,
  importerName,
  installError,
  type Npm,
  npmInstall,
  type WantedPackage,
} from './npm.ts';
import { SloppyPackages } from './sloppy.ts';

export interface PackagesOptions {
  /** `<data>/packages`. */
  readonly folder: string;
  /** Setting `weir.npm.path`; without it npm is looked for on the PATH. */
  readonly npmPath?: string | undefined;
  /** npm's environment: its PATH, and where it keeps its configuration. */
  readonly env: NodeJS.ProcessEnv;
  /** Setting `weir.packages.install`. */
  readonly policy: InstallPolicy;
}

export interface InstallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((message: string) => void) | undefined;
  /** Whether packages may be installed; the policy decides when left out. */
  readonly install?: boolean | undefined;
}

interface Install {
  readonly wanted: WantedPackage;
  readonly npm: Npm;
  readonly options: InstallOptions;
}

/**
 * Packages that Weir installed: one folder per name and version, `fruit@1.5.0`, so that several live
 * side by side (P15.9). In `.ranges` a link leads from each range and tag that was asked for, `fruit@^1`,
 * to the version it stands for: the newest when it was first asked for (P15.8); removing the link asks
 * again.
 */
export class Packages {
  readonly sloppy = new SloppyPackages();
  /**
   * By bundled file, the folders of the packages that turned out to be external, and their names where
   * they share one: the next build of the file need not bundle megabytes to find out again.
   */
  readonly externalOf = new Map<
    string,
    { readonly folders: ReadonlySet<string>; readonly names: LinkNames }
  >();
  readonly #options: PackagesOptions;
  /** Installs that are running, so that two builds do not install the same. */
  readonly #installing = new Map<string, Promise<void>>();

  constructor(options: PackagesOptions) {
    this.#options = options;
  }

  /** The version of the pin, otherwise that of the nearest package.json, otherwise the latest (P15.7). */
  async wanted(name: string, pin: string | undefined, importer: string): Promise<WantedPackage> {
    const version = pin ?? (await declaredVersion(dirname(importer), name)) ?? '';
    return { name, version: version.trim() === '' ? 'latest' : version.trim(), importer };
  }

  /** The folder to resolve the package from; undefined when it is not installed. */
  folderOf(wanted: WantedPackage): string | undefined {
    return [this.#link(wanted), this.#folder(label(wanted))].find(existsSync);
  }

  /**
   * Resolves when all are installed.
   * @throws WeirError `packages_needed` before a yes, `bad_component` with the package and the reason, `cancelled`
   */
  async install(all: readonly WantedPackage[], options: InstallOptions): Promise<void> {
    const byLabel = new Map(all.map((wanted) => [label(wanted), wanted]));
    for (const wanted of byLabel.values()) refuseOtherProtocols(wanted);
    requireInstall(this.#options.policy, options.install, [...byLabel.keys()]);
    const npm = await findNpm(this.#options.npmPath, this.#options.env);
    await Promise.all(
      [...byLabel.values()].map((wanted) => this.#installOnce({ wanted, npm, options })),
    );
  }

  async #installOnce(install: Install): Promise<void> {
    const { wanted } = install;
    const key = label(wanted);
    while (this.#installing.has(key)) await this.#installing.get(key)?.catch(() => undefined);
    if (this.folderOf(wanted) !== undefined) return;
    const installing = this.#install(install).finally(() => this.#installing.delete(key));
    this.#installing.set(key, installing);
    await installing;
  }

  /** The folder appears by a rename when npm is done: what exists is complete. */
  async #install({ wanted, npm, options }: Install): Promise<void> {
    const { signal, progress } = options;
    progress?.(`Installing ${label(wanted)}`);
    const temporary = temporaryIn(this.#options.folder);
    await mkdir(temporary, { recursive: true });
    try {
      await writeFile(join(temporary, 'package.json'), '{"private": true}\n');
      // It may hold a token, so it stays no longer than npm needs it.
      const npmrc = await nearestNpmrc(dirname(wanted.importer));
      if (npmrc !== undefined) await copyFile(npmrc, join(temporary, '.npmrc'));
      const failure = await npmInstall(npm, temporary, label(wanted), signal);
      if (signal?.aborted === true) throw new WeirError('cancelled', 'The install was cancelled.');
      if (failure !== undefined) throw installError(wanted, failure);
      await rm(join(temporary, '.npmrc'), { force: true });
      const folder = this.#folder(await installedAs(temporary, wanted));
      await renameUnlessThere(temporary, folder);
      await this.#remember(wanted, folder);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  /** An exact version is found by its folder. */
  async #remember(wanted: WantedPackage, folder: string): Promise<void> {
    const link = this.#link(wanted);
    if (folder === this.#folder(label(wanted))) return;
    await mkdir(dirname(link), { recursive: true });
    // A link whose target is gone: somebody has removed the version.
    await rm(link, { force: true });
    await symlink(relative(dirname(link), folder), link, 'junction');
  }

  #link(wanted: WantedPackage): string {
    return join(this.#options.folder, '.ranges', fileName(label(wanted)));
  }

  /** @param packageLabel `name@version` */
  #folder(packageLabel: string): string {
    return join(this.#options.folder, fileName(packageLabel));
  }
}

/** `name@version` of what npm installed; under an alias (`npm:`) the version names the other package. */
async function installedAs(root: string, { name }: WantedPackage): Promise<string> {
  const manifest = await readPackageJson(join(root, 'node_modules', name));
  const { name: real = name, version = 'unknown' } = manifest ?? {};
  return real === name ? `${name}@${version}` : `${name}@npm:${real}@${version}`;
}

/** An existing folder is complete, and may be in use. */
async function renameUnlessThere(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** `@scope/pkg@^1` → `@scope+pkg@%5E1`. */
function fileName(packageLabel: string): string {
  const version = packageLabel.indexOf('@', 1);
  const safe = encodeURIComponent(packageLabel.slice(version + 1)).replaceAll('*', '%2A');
  return `${packageLabel.slice(0, version).replace('/', '+')}@${safe}`;
}

function label({ name, version }: WantedPackage): string {
  return `${name}@${version}`;
}

/** `workspace:`, `file:`, `link:`, a repository: only the project's own package manager can resolve those. */
function refuseOtherProtocols(wanted: WantedPackage): void {
  const { name, version } = wanted;
  if (!version.includes(':') && !version.includes('/')) return;
  if (version.startsWith('npm:')) return;
  throw new WeirError(
    'bad_component',
    `${importerName(wanted)} imports ${name}, which its package.json takes from "${version}"; install it there with your package manager.`,
  );
}
