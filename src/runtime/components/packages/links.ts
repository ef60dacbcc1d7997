/** The external packages of a bundle, and the names under which it imports them. */
import { packageOf, readPackageJson } from './node-modules.ts';

/**
 * By folder, the name the bundle imports the package under: what the deployment's `node_modules` has for
 * a link to the folder.
 */
export type Links = ReadonlyMap<string, string>;

/** The names of those packages that have to share theirs. */
export type LinkNames = ReadonlyMap<string, string>;

/**
 * Gives each of several packages of one name a name of its own, so that each importer gets the one it
 * would get without a bundle (P15.9): one keeps the plain name, the others have their version in it,
 * `pg-format@1.0.4`. That one name leads to one folder does not depend on the order they are met in.
 */
export async function linkNames(folders: Iterable<string>): Promise<LinkNames> {
  const names = new Map<string, string>();
  for (const [name, sharing] of byName(folders)) {
    const [first, ...others] = sharing.sort(nearestFirst);
    if (first === undefined || others.length === 0) continue;
    names.set(first, name);
    const taken = new Set<string>();
    for (const folder of others) {
      const { version = 'unknown' } = (await readPackageJson(folder)) ?? {};
      let aside = `${name}@${version}`;
      for (let copy = 2; taken.has(aside); copy += 1) aside = `${name}@${version}-${copy}`;
      taken.add(aside);
      names.set(folder, aside);
    }
  }
  return names;
}

/** Whether a bundle that was made with these links has the names it should have. */
export function areNamed(links: Links, names: LinkNames): boolean {
  return [...links].every(([folder, name]) => name === (names.get(folder) ?? nameOf(folder)));
}

function byName(folders: Iterable<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const folder of folders) {
    const name = nameOf(folder);
    found.set(name, [...(found.get(name) ?? []), folder]);
  }
  return found;
}

function nearestFirst(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function nameOf(folder: string): string {
  return packageOf(folder)?.name ?? folder;
}
