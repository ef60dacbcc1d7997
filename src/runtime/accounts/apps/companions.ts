/**
 * Definitions beside the files of apps: `acme.auth.json` beside `acme.app.mjs`. They count after all others, and those of one's
 * own files before those of packages: what somebody else has published takes nobody's place (clause 28).
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { definitionBeside, slugOfCompanion } from '../../../protocol/app-files.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { filesBelow } from '../../base/files-below.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';
import { textOf } from './read-file.ts';
import { readDefinition, readPackaged } from './read.ts';
import type { AppDefinition } from './schema.ts';

/** A definition that came with a component of others, and was in the question about it. */
export interface PackagedCompanion {
  /** Absolute. */
  readonly path: string;
  /** Where it came from, such as `npm:@acme/orders@1.4.0`. */
  readonly package: string;
}

export interface Companion {
  readonly definition: AppDefinition;
  readonly from: 'companion' | 'package';
  /** Absolute path. */
  readonly file: string;
  /** Where it came from. */
  readonly package: string | undefined;
}

export interface CompanionsOptions {
  readonly settings: Pick<SettingsTable, 'get' | 'set'>;
  readonly workspace: string;
  readonly dataFolder: string;
  /** Whether a file was fetched from a registry: of those only what `packages` names counts. */
  readonly isFetched: (path: string) => boolean;
  /** Definitions in components of others that are locked or deployed here. */
  readonly packages: () => Promise<readonly PackagedCompanion[]>;
  /** Gets errors of files that could not be read; known definitions still count. */
  readonly report: (error: unknown) => void;
}

interface AppFilePlace {
  readonly path: string;
  readonly package: string | undefined;
}

/** JSON list of absolute paths. */
const setting = 'appFiles';

const code = /\.[cm]?[jt]s$/;

export class Companions {
  readonly #options: CompanionsOptions;
  #workspace: string;
  #dataFolder: string;
  /**
   * Files of apps: those that went into code, and those of the workspace that have a definition. They are kept across
   * restarts.
   */
  #appFiles: readonly string[];
  #packaged: readonly PackagedCompanion[] = [];
  #looking: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: CompanionsOptions) {
    this.#options = options;
    this.#workspace = options.workspace;
    this.#dataFolder = options.dataFolder;
    this.#appFiles = JSON.parse(options.settings.get(setting) ?? '[]') as string[];
  }

  /** Loads what accounts need from the start. Never rejects. */
  async open(): Promise<void> {
    const { workspace, dataFolder } = this.#options;
    // The files that go into code are known by their real paths.
    this.#workspace = await realpath(workspace).catch(() => workspace);
    this.#dataFolder = await realpath(dataFolder).catch(() => dataFolder);
    await this.#lookAtPackages();
  }

  /**
   * Code was bundled.
   * @param entry absolute path of its file; of a fetched one nothing counts but what `packages` names, wherever its packages are
   * @param files absolute paths of the files of apps that went in
   */
  learn(entry: string, files: readonly string[]): void {
    const { isFetched, report } = this.#options;
    const own = isFetched(entry) ? [] : files.filter((file) => !isFetched(file));
    if (own.length < files.length) void this.#lookAtPackages();
    this.#add(own).catch(report);
  }

  /**
   * Looks through the workspace, and at what is locked: files come and go. One look at a time; who asks meanwhile waits for the
   * next, which has what was written by then. Never rejects.
   */
  look(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#lookNow().finally(() => (this.#looking = undefined));
      return this.#looking;
    }
    this.#next ??= this.#looking.then(() => {
      this.#next = undefined;
      return this.look();
    });
    return this.#next;
  }

  async #lookNow(): Promise<void> {
    const { isFetched, report } = this.#options;
    await this.#lookAtPackages();
    try {
      const found: string[] = [];
      for await (const file of filesBelow(this.#workspace, code)) {
        const companion = definitionBeside(file);
        if (companion !== undefined && existsSync(companion) && !isFetched(file)) found.push(file);
      }
      this.#appFiles = this.#appFiles.filter((file) => existsSync(file));
      await this.#add(found);
    } catch (error) {
      report(error);
    }
  }

  /** Slugs of all existing definitions, readable or not. */
  slugs(): string[] {
    const own = this.#appFiles.flatMap((file) => placeBeside(file) ?? []);
    const there = [...own.filter(({ path }) => existsSync(path)), ...this.#packaged];
    return [...new Set(there.flatMap(({ path }) => slugOfCompanion(path) ?? []))];
  }

  /**
   * The first definition in this order: the workspace, files elsewhere on this machine, packages.
   * @returns undefined if there is none
   * @throws WeirError `bad_input` if that file is not a definition, `conflict` if several differ
   */
  find(slug: string): Companion | undefined {
    const isIt = ({ path }: AppFilePlace): boolean => slugOfCompanion(path) === slug;
    const own = this.#appFiles.flatMap((file) => {
      const place = placeBeside(file);
      return place !== undefined && isIt(place) && existsSync(file) ? [place] : [];
    });
    const written = own.filter((place) => place.package === undefined);
    const here = written.filter(({ path }) => this.#isHere(path));
    const installedHere = own.filter((place) => place.package !== undefined);
    return (
      oneOf(slug, here) ??
      oneOf(slug, written) ??
      oneOf(slug, [...this.#packaged.filter(isIt), ...installedHere])
    );
  }

  #isHere(path: string): boolean {
    const isIn = (folder: string): boolean => path.startsWith(folder + sep);
    return isIn(this.#workspace) && !isIn(this.#dataFolder);
  }

  async #lookAtPackages(): Promise<void> {
    const { packages, report } = this.#options;
    try {
      this.#packaged = await packages();
    } catch (error) {
      report(error);
    }
  }

  async #add(files: readonly string[]): Promise<void> {
    const before = this.#appFiles;
    const added = [...new Set(files)].filter((file) => !before.includes(file));
    if (added.length === 0) return;
    // An npm package that is installed at another place now is not there twice.
    const moved = new Set(added.flatMap((file) => installed(file)?.name ?? []));
    const kept = before.filter((file) => !moved.has(installed(file)?.name ?? ''));
    this.#appFiles = [...kept, ...added];
    await this.#options.settings.set(setting, JSON.stringify(this.#appFiles));
  }
}

/** Path of an app's definition, if there is one. */
function placeBeside(appFile: string): AppFilePlace | undefined {
  const path = definitionBeside(appFile);
  return path === undefined ? undefined : { path, package: installed(appFile)?.package };
}

/** Several that say the same are one. */
function oneOf(slug: string, places: readonly AppFilePlace[]): Companion | undefined {
  const found = places.flatMap((place) => read(slug, place) ?? []);
  const [first] = found;
  const other = found.find((one) => first !== undefined && !isSame(one, first));
  if (first === undefined || other === undefined) return first;
  throw new WeirError(
    'conflict',
    `${nameOf(first)} and ${nameOf(other)} define ${slug} in different ways, so neither counts: copy the one that is right to weir/apps/${slug}.json.`,
  );
}

function read(slug: string, { path, package: of }: AppFilePlace): Companion | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const isPackaged = of !== undefined;
  return {
    definition: (isPackaged ? readPackaged : readDefinition)(text, path, slug),
    from: isPackaged ? 'package' : 'companion',
    file: path,
    package: of,
  };
}

function isSame({ definition: one }: Companion, { definition: other }: Companion): boolean {
  return isDeepStrictEqual({ ...one, $schema: '' }, { ...other, $schema: '' });
}

function nameOf({ file, package: of }: Companion): string {
  return of === undefined ? file : `${file} (${of})`;
}

/**
 * Name and package of a file in an installed npm package. A package in the `node_modules` of another package is not the
 * package of that name, but belongs to the other package's author.
 */
function installed(file: string): { readonly name: string; readonly package: string } | undefined {
  const modules = `${sep}node_modules${sep}`;
  const [, ...parts] = file.split(modules);
  // pnpm has a folder of each package with its version, and the package in that.
  if (parts[0]?.startsWith(`.pnpm${sep}`) === true && parts.length > 1) parts.shift();
  if (parts.length === 0) return undefined;
  const names = parts.map((part) => {
    const [first = '', second = ''] = part.split(sep);
    return first.startsWith('@') ? `${first}/${second}` : first;
  });
  return { name: parts.join(modules), package: `npm:${names.join(' > ')}` };
}
