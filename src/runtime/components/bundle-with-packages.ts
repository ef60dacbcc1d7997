import { dirname } from 'node:path';
import { asksForItsPlace, type Bundle, bundle } from './bundle.ts';
import { bundleError } from './bundle-errors.ts';
import type { BuildOptions } from './deployment.ts';
import { betterOutside } from './packages/better-outside.ts';
import type { Packages } from './packages/packages.ts';
import { type Links, PackageResolver } from './packages/resolver.ts';
import { readersBesideThemselves } from './packages/unbundlable.ts';

/** A bundle and the packages that had to stay outside of it. */
export interface LinkedBundle extends Bundle {
  readonly links: Links;
}

/**
 * An installed package may import further ones it does not declare, and so on: after so many rounds
 * something is wrong.
 */
const mostRounds = 12;

/**
 * Bundles a file; installs what it lacks and bundles again, until nothing is missing and everything
 * that cannot be bundled is outside.
 *
 * @param entry the file's real path
 * @param folder a folder beside which the deployment will lie
 * @throws WeirError `bad_component` with every place that is wrong
 */
export async function bundleWithPackages(
  entry: string,
  folder: string,
  packages: Packages,
  options: BuildOptions,
): Promise<LinkedBundle> {
  const workingFolder = dirname(entry);
  const outside = new Set(packages.outsideOf.get(entry));
  for (let round = 1; ; round++) {
    for (const sloppy of packages.sloppy.folders) outside.add(sloppy);
    const known = outside.size;
    const resolver = new PackageResolver(packages, outside);
    const built = await bundle(entry, folder, [resolver.plugin], options.signal);
    if ('errors' in built) {
      // What was outside last time may be in the way of what the file imports by now.
      if (packages.outsideOf.delete(entry)) {
        outside.clear();
        continue;
      }
      const others = resolver.otherErrors(built.errors);
      const wrong = packages.sloppy.learnFromErrors(others, workingFolder);
      // Code that does not compile is not worth a download.
      if (wrong.length > 0) throw bundleError(wrong, workingFolder);
      if (round > mostRounds) throw bundleError(built.errors, workingFolder);
      const missing = resolver.missing(built.errors);
      if (missing.length > 0) await packages.install(missing, options);
      continue;
    }
    if (asksForItsPlace(built.code)) {
      for (const reader of await readersBesideThemselves(built.files)) outside.add(reader);
    }
    for (const better of await betterOutside(built.sizes, built.code)) outside.add(better);
    if (outside.size === known) {
      if (outside.size > 0) packages.outsideOf.set(entry, outside);
      return { ...built, links: resolver.links };
    }
  }
}
