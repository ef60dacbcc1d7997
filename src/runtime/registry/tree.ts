/** The files of a package, a commit or a folder, as the rest of the registry reads them. */
import { namesLicense } from './license.ts';

export interface Tree {
  /** Paths of all files, with "/" between folders and without a leading one. Links are not among them. */
  readonly paths: ReadonlySet<string>;
  /**
   * Reads these files; a missing one is missing in the answer.
   * @throws WeirError `bad_component` if together they are larger than what anybody would read
   */
  read(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

export async function textOf(
  tree: Tree,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const bytes = (await tree.read([path], signal)).get(path);
  return bytes && new TextDecoder().decode(bytes);
}

/** The nearest file of one of these names in the folder of a path or above it, up to the root of the tree. */
export function nearest(tree: Tree, path: string, names: readonly string[]): string | undefined {
  const parts = path.split('/').slice(0, -1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = parts.slice(0, depth).map((part) => `${part}/`);
    const found = names.map((name) => folder.join('') + name).find((one) => tree.paths.has(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

export const manifestNames = ['package.json'];
export const licenseNames = ['LICENSE', 'LICENCE', 'License', 'license', 'COPYING'].flatMap(
  (name) => [name, `${name}.md`, `${name}.txt`],
);
export const readmeNames = ['README.md', 'Readme.md', 'readme.md', 'README.txt', 'README'];

export interface LicenseTexts {
  readonly manifest: string | undefined;
  readonly file: string | undefined;
}

/**
 * The texts with a file's license: those of the nearest folder that names one, up to the root. The package of a
 * component in a repository often has none of its own.
 */
export async function licenseTexts(
  tree: Tree,
  path: string,
  signal: AbortSignal,
): Promise<LicenseTexts> {
  const parts = path.split('/').slice(0, -1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = parts.slice(0, depth).map((part) => `${part}/`);
    const at = (names: readonly string[]): string | undefined =>
      names.map((name) => folder.join('') + name).find((one) => tree.paths.has(one));
    const [manifest, file] = [at(manifestNames), at(licenseNames)];
    const text = manifest === undefined ? undefined : await textOf(tree, manifest, signal);
    if (file === undefined && !namesLicense(text)) continue;
    const terms = file ?? nearest(tree, path, licenseNames);
    return {
      manifest: text,
      file: terms === undefined ? undefined : await textOf(tree, terms, signal),
    };
  }
  return { manifest: undefined, file: undefined };
}
