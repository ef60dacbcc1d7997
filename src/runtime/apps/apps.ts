/**
 * The apps that are known, by slug. Who stands first wins: the user, then what is built in, then the
 * workspace. So a cloned folder or a package never says where the tokens of a built-in app go.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { builtIn } from './built-in/all.ts';
import { checkDefinition, readDefinition } from './read.ts';
import type { AppDefinition } from './schema.ts';

export type AppOrigin = 'user' | 'built in' | 'workspace';

export interface KnownApp {
  readonly definition: AppDefinition;
  readonly from: AppOrigin;
}

export interface AppsOptions {
  /** `…/weir/apps` in the user's configuration folder. */
  readonly userFolder: string;
  /** `weir/apps` in the workspace folder. */
  readonly workspaceFolder: string;
}

const builtInApps: ReadonlyMap<string, AppDefinition> = new Map(
  builtIn.map((written) => [written.app, checkDefinition(written, `built-in ${written.app}`)]),
);

/** Reads the folders at each call: they are small, asked rarely, and edited by hand. */
export class Apps {
  readonly #options: AppsOptions;

  constructor(options: AppsOptions) {
    this.#options = options;
  }

  /**
   * By slug, in the order of the alphabet.
   * @param broken is told of each file that is not a definition; left out, the first one throws
   */
  all(broken?: (error: WeirError) => void): KnownApp[] {
    const found = new Map<string, KnownApp>();
    const add = (from: AppOrigin, definitions: Iterable<AppDefinition>): void => {
      for (const definition of definitions)
        if (!found.has(definition.app)) found.set(definition.app, { definition, from });
    };
    add('user', readFolder(this.#options.userFolder, broken));
    add('built in', builtInApps.values());
    add('workspace', readFolder(this.#options.workspaceFolder, broken));
    return [...found.values()].sort((a, b) => (a.definition.app < b.definition.app ? -1 : 1));
  }

  /**
   * Undefined when nobody defines it.
   * @throws WeirError `bad_input` when the file that counts is no definition
   */
  find(slug: string): KnownApp | undefined {
    const user = readOne(this.#options.userFolder, slug);
    if (user !== undefined) return { definition: user, from: 'user' };
    const own = builtInApps.get(slug);
    if (own !== undefined) return { definition: own, from: 'built in' };
    const workspace = readOne(this.#options.workspaceFolder, slug);
    return workspace && { definition: workspace, from: 'workspace' };
  }

  /** @throws WeirError `not_found` with the way to define it */
  get(slug: string): KnownApp {
    const found = this.find(slug);
    if (found !== undefined) return found;
    throw new WeirError(
      'not_found',
      `No definition of the app "${slug}" is known: write weir/apps/${slug}.json, or add its keys with "weir accounts add ${slug}".`,
    );
  }
}

function readFolder(folder: string, broken?: (error: WeirError) => void): AppDefinition[] {
  const slugs = filesOf(folder).map((file) => file.slice(0, -'.json'.length));
  return slugs.flatMap((slug) => {
    try {
      return readOne(folder, slug) ?? [];
    } catch (error) {
      if (broken === undefined || !WeirError.is(error)) throw error;
      broken(error);
      return [];
    }
  });
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

function readOne(folder: string, slug: string): AppDefinition | undefined {
  if (!slugs.test(slug)) return undefined;
  const path = join(folder, `${slug}.json`);
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new WeirError('bad_input', `${path} cannot be read: ${messageOf(error)}.`);
  }
  return readDefinition(json, path, slug);
}
