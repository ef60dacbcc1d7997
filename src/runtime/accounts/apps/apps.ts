/**
 * The known apps, by slug. The first definition wins: the user's, then the built-in one, then the workspace's, then
 * that beside the file of an app. So a cloned folder or a package never decides where the tokens of a built-in app go.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { builtIn } from './built-in/all.ts';
import type { Companion, Companions } from './companions.ts';
import { textOf } from './read-file.ts';
import { checkDefinition, readDefinition } from './read.ts';
import type { AppDefinition } from './schema.ts';

export type AppOrigin = 'user' | 'built in' | 'workspace' | Companion['from'];

export interface KnownApp {
  readonly definition: AppDefinition;
  readonly from: AppOrigin;
  /** Absolute path of the file that defines it. */
  readonly file?: string | undefined;
  /** The package that the definition came with. */
  readonly package?: string | undefined;
}

export interface AppsOptions {
  /** `…/weir/apps` in the user's configuration folder. */
  readonly userFolder: string;
  /** `weir/apps` in the workspace folder. */
  readonly workspaceFolder: string;
  readonly companions: Pick<Companions, 'find' | 'look' | 'slugs'>;
}

type Read = Pick<KnownApp, 'definition' | 'file'>;

const builtInSlugs: ReadonlySet<string> = new Set(builtIn.map(({ app }) => app));
const checkedBuiltIn = new Map<string, Read>();

/** Checked when it is first asked for: a runtime that starts needs none, and all of them take a fifth of loading its code. */
function builtInApp(slug: string): Read | undefined {
  if (!builtInSlugs.has(slug)) return undefined;
  const known = checkedBuiltIn.get(slug);
  if (known !== undefined) return known;
  const written = builtIn.find(({ app }) => app === slug);
  const read = { definition: checkDefinition(written, `built-in ${slug}`) };
  checkedBuiltIn.set(slug, read);
  return read;
}

/** Reads the folders at each call: they are small, asked rarely, and edited by hand. */
export class Apps {
  readonly #options: AppsOptions;

  constructor(options: AppsOptions) {
    this.#options = options;
  }

  /**
   * By slug, in alphabetical order.
   * @param broken gets each file that is not a definition; left out, the first one throws
   */
  all(broken?: (error: WeirError) => void): KnownApp[] {
    const found = new Map<string, KnownApp>();
    const add = (from: AppOrigin, definitions: Iterable<Read>): void => {
      for (const { definition, file } of definitions)
        if (!found.has(definition.app)) found.set(definition.app, { definition, from, file });
    };
    add('user', readFolder(this.#options.userFolder, broken));
    add(
      'built in',
      [...builtInSlugs].flatMap((slug) => builtInApp(slug) ?? []),
    );
    add('workspace', readFolder(this.#options.workspaceFolder, broken));
    const { companions } = this.#options;
    for (const slug of companions.slugs()) {
      const one = found.has(slug) ? undefined : orTold(() => this.find(slug), broken);
      if (one !== undefined) found.set(slug, one);
    }
    return [...found.values()].sort((a, b) => (a.definition.app < b.definition.app ? -1 : 1));
  }

  /**
   * Undefined when nobody defines it.
   * @throws WeirError `bad_input` when the file that counts is no definition, `conflict` when files beside apps differ
   */
  find(slug: string): KnownApp | undefined {
    return this.#findAbove(slug) ?? this.#options.companions.find(slug);
  }

  /** Looks for definitions beside files of apps. @param slug not when somebody else defines this one */
  async look(slug?: string): Promise<void> {
    if (slug === undefined || this.#findAbove(slug) === undefined)
      await this.#options.companions.look();
  }

  /** By app who defines it, when that is no package: then what a package says of it does not count. */
  async definers(slugs: readonly string[]): Promise<Map<string, Exclude<AppOrigin, 'package'>>> {
    if (slugs.length > 0) await this.look();
    const found = new Map<string, Exclude<AppOrigin, 'package'>>();
    for (const slug of slugs) {
      const from = orTold(
        () => this.find(slug)?.from,
        () => undefined,
      );
      if (from !== undefined && from !== 'package') found.set(slug, from);
    }
    return found;
  }

  /** @throws WeirError `not_found` with the way to define it */
  get(slug: string): KnownApp {
    const found = this.find(slug);
    if (found !== undefined) return found;
    throw new WeirError(
      'not_found',
      `No definition of the app "${slug}" is known: write weir/apps/${slug}.json, or ${slug}.auth.json beside the file of the app; or add its keys with "weir accounts add ${slug}".`,
    );
  }

  /** The definition that has priority over files beside apps. */
  #findAbove(slug: string): KnownApp | undefined {
    const user = readOne(this.#options.userFolder, slug);
    if (user !== undefined) return { ...user, from: 'user' };
    const own = builtInApp(slug);
    if (own !== undefined) return { ...own, from: 'built in' };
    const workspace = readOne(this.#options.workspaceFolder, slug);
    return workspace && { ...workspace, from: 'workspace' };
  }
}

/** Undefined if it throws and the error was reported. */
function orTold<T>(task: () => T, broken?: (error: WeirError) => void): T | undefined {
  try {
    return task();
  } catch (error) {
    if (broken === undefined || !WeirError.is(error)) throw error;
    broken(error);
    return undefined;
  }
}

function readFolder(folder: string, broken?: (error: WeirError) => void): Read[] {
  const slugs = filesOf(folder).map((file) => file.slice(0, -'.json'.length));
  return slugs.flatMap((slug) => orTold(() => readOne(folder, slug), broken) ?? []);
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

const slugs = /^[a-z0-9][a-z0-9_-]*$/;

function readOne(folder: string, slug: string): Read | undefined {
  if (!slugs.test(slug)) return undefined;
  const file = join(folder, `${slug}.json`);
  const json = textOf(file);
  return json === undefined ? undefined : { definition: readDefinition(json, file, slug), file };
}
