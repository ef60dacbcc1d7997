import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { temporaryIn } from '../../temporary-folders.ts';
import { type InstallPolicy, requireInstall } from './install-policy.ts';
import type { LinkNames } from './links.ts';
import { declaredVersion, nearestNpmrc } from './node-modules.ts';
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
  readonly folder: string;
  readonly wanted: WantedPackage;
  readonly npm: Npm;
  readonly options: InstallOptions;
}

/**
 * Packages that Weir installed: one folder per name and version asked for, so that several majors
 * live side by side (P15.9). "latest" is what was latest when it was first asked for; removing
 * its folder asks again.
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

  /** What a pin asks for, else the nearest package.json, else the latest (P15.7). */
  async wanted(name: string, pin: string | undefined, importer: string): Promise<WantedPackage> {
    const version = pin ?? (await declaredVersion(dirname(importer), name)) ?? '';
    return { name, version: version.trim() === '' ? 'latest' : version.trim(), importer };
  }

  /** The folder to resolve the package from; undefined when it is not installed. */
  folderOf(wanted: WantedPackage): string | undefined {
    const folder = this.#folder(wanted);
    return existsSync(folder) ? folder : undefined;
  }

  /**
   * Resolves when all are installed.
   * @throws WeirError `packages_needed` before a yes, `bad_component` with the package and the reason, `cancelled`
   */
  async install(all: readonly WantedPackage[], options: InstallOptions): Promise<void> {
    const byFolder = new Map(all.map((wanted) => [this.#folder(wanted), wanted]));
    for (const wanted of byFolder.values()) refuseOtherProtocols(wanted);
    requireInstall(this.#options.policy, options.install, [...byFolder.values()].map(label));
    const npm = await findNpm(this.#options.npmPath, this.#options.env);
    await Promise.all(
      [...byFolder].map(([folder, wanted]) => this.#installOnce({ folder, wanted, npm, options })),
    );
  }

  async #installOnce(install: Install): Promise<void> {
    const { folder } = install;
    while (this.#installing.has(folder)) await this.#installing.get(folder)?.catch(() => undefined);
    if (existsSync(folder)) return;
    const installing = this.#install(install).finally(() => this.#installing.delete(folder));
    this.#installing.set(folder, installing);
    await installing;
  }

  /** The folder appears by a rename when npm is done: what exists is complete. */
  async #install({ folder, wanted, npm, options }: Install): Promise<void> {
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
      await rename(temporary, folder);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  #folder({ name, version }: WantedPackage): string {
    const safe = encodeURIComponent(version).replaceAll('*', '%2A');
    return join(this.#options.folder, `${name.replace('/', '+')}@${safe}`);
  }
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
