/** The file of the component that `key@version` names, among the files of the workspace and its packages. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filesBelow } from '../../base/files-below.ts';

export interface FoundComponent {
  readonly path: string;
  /** As its file says it; undefined where that is no plain text. */
  readonly version: string | undefined;
}

const largestBytes = 512 * 1024;
/** Extensions of component files. */
export const codeFile = /\.(?:mjs|js|ts|mts)$/;

/**
 * The file whose component has this key: that of this version, else of the nearest. Files are read, not evaluated:
 * what is found is evaluated by whoever uses it, and has to be looked at again then.
 * @param roots absolute paths; the first that has one counts
 */
export async function findComponent(
  roots: readonly string[],
  key: string,
  version: string,
  signal: AbortSignal,
): Promise<FoundComponent | undefined> {
  for (const root of new Set(roots)) {
    const found: FoundComponent[] = [];
    for await (const path of filesBelow(root, codeFile, signal)) {
      const one = await componentIn(path, key);
      if (one?.version === version) return one;
      if (one !== undefined) found.push(one);
    }
    const [nearest] = found.sort((a, b) => distance(a, version) - distance(b, version));
    if (nearest !== undefined) return nearest;
  }
  return undefined;
}

/** The package that the platform publishes the components of an app in, as the key of one names it. */
export function packageOf(key: string): string | undefined {
  const [, app] = /^([a-z0-9_]+)-/.exec(key) ?? [];
  return app === undefined ? undefined : `@pipedream/${app}`;
}

/** Folders of such an installed package: in `node_modules` here or above, as Node looks for it. */
export function packageFolders(folder: string, key: string): string[] {
  const name = packageOf(key);
  if (name === undefined) return [];
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(join(at, 'node_modules', name));
    if (dirname(at) === at) return folders;
  }
}

/** The folder that contains `.git`, at or above this one; otherwise this one's parent. */
export async function repositoryOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const isHere = await stat(join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isHere) return at;
    if (dirname(at) === at) return dirname(folder);
  }
}

async function componentIn(path: string, key: string): Promise<FoundComponent | undefined> {
  const size = await stat(path).then(
    (found) => found.size,
    () => Number.POSITIVE_INFINITY,
  );
  if (size > largestBytes) return undefined;
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.includes(key) || keyOf(text) !== key) return undefined;
  return { path, version: /\bversion\s*:\s*["'`](\d[\w.-]*)["'`]/.exec(text)?.[1] };
}

function keyOf(text: string): string | undefined {
  return /(?:^|[\s{,])["']?key["']?\s*:\s*["'`]([\w@/-]+)["'`]/.exec(text)?.[1];
}

/** A change of the major counts most; of two that are equally far the later one is taken. */
function distance({ version }: FoundComponent, wanted: string): number {
  if (version === undefined) return Number.POSITIVE_INFINITY;
  const [has, wants] = [numbers(version), numbers(wanted)];
  const difference = [0, 1, 2].reduce(
    (sum, place) => sum * 10_000 + Math.abs((has[place] ?? 0) - (wants[place] ?? 0)),
    0,
  );
  const isOlder = has.join('.') < wants.join('.');
  return difference + (isOlder ? 0.5 : 0);
}

function numbers(version: string): number[] {
  return version.split(/[.-]/).slice(0, 3).map(Number);
}
