import { dirname } from 'node:path';
import { betterExternal, packagesReadingOwnFiles } from '../packages/external.ts';
import { areNamed, type LinkNames, linkNames, type Links } from '../packages/links.ts';
import type { InstallOptions, Packages } from '../packages/packages.ts';
import { PackageResolver } from '../packages/resolver.ts';
import { type Bundle, bundle, usesImportMeta } from './bundle.ts';
import { bundleError } from './bundle-errors.ts';

/** A bundle, and links to the external packages. */
export interface LinkedBundle extends Bundle {
  readonly links: Links;
}

/**
 * An installed package may import further ones it does not declare, and so on: after so many rounds
 * something is wrong.
 */
const mostRounds = 12;

/**
 * Bundles a file; installs what is missing and bundles again, until nothing is missing and everything
 * that cannot be bundled is external.
 *
 * @param entry the file's real path
 * @param folder a folder beside which the deployment will lie
 * @throws WeirError `bad_component` with every place that is wrong
 */
export async function bundleWithPackages(
  entry: string,
  folder: string,
  packages: Packages,
  options: InstallOptions,
): Promise<LinkedBundle> {
  const workingFolder = dirname(entry);
  const before = packages.externalOf.get(entry);
  const external = new Set(before?.folders);
  let names: LinkNames = before?.names ?? new Map();
  for (let round = 1; ; round++) {
    for (const sloppy of packages.sloppy.folders) external.add(sloppy);
    const known = external.size;
    const resolver = new PackageResolver(packages, external, names);
    const built = await bundle(entry, folder, [resolver.plugin], options.signal);
    if ('errors' in built) {
      const others = resolver.otherErrors(built.errors);
      const wrong = packages.sloppy.learnFromErrors(others, workingFolder, resolver.ownImports);
      // Code that does not compile is not worth a download.
      if (wrong.length > 0) throw bundleError(wrong, workingFolder);
      if (round > mostRounds) throw bundleError(built.errors, workingFolder);
      const missing = resolver.missing(built.errors);
      if (missing.length > 0) await packages.install(missing, options);
      continue;
    }
    if (usesImportMeta(built.code)) {
      for (const found of await packagesReadingOwnFiles(built.files)) external.add(found);
    }
    for (const found of await betterExternal(built.sizes, built.code)) external.add(found);
    if (external.size > known) continue;
    names = await linkNames(resolver.links.keys());
    if (!areNamed(resolver.links, names)) continue;
    packages.externalOf.set(entry, { folders: external, names });
    return { ...built, links: resolver.links };
  }
}
