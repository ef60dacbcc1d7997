/** Which packages stay outside of a bundle ("external", as bundlers say), and why. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, packageOf, readPackageJson } from './node-modules.ts';

/** Packages that only load native addons for others. */
const addonLoaders = [
  'bindings',
  'node-addon-api',
  'node-gyp-build',
  'node-pre-gyp',
  '@mapbox/node-pre-gyp',
  'prebuild-install',
];

/** True for a package with a native addon, which a bundle cannot hold. */
export async function isNative(folder: string): Promise<boolean> {
  const manifest = await readPackageJson(folder);
  if (manifest === undefined) return false;
  const { gypfile, binary, napi, dependencies = {} } = manifest;
  if (gypfile === true || binary !== undefined || napi !== undefined) return true;
  if (addonLoaders.some((loader) => loader in dependencies)) return true;
  return (await exists(join(folder, 'binding.gyp'))) || exists(join(folder, 'prebuilds'));
}

const ownPath = /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b/;
const opensFiles =
  /\b(?:readFile|readdir|existsSync|statSync|createReadStream|dlopen|Worker|fork|spawn|createRequire)|require\.resolve|\brequire\(\s*[^\s'"`)]/;

/**
 * Folders of the packages among bundled files that read files of their own (a proto file, a worker, a
 * browser) by their path, or make a `require` of it: from inside a bundle they would look in the
 * wrong place.
 */
export async function packagesReadingOwnFiles(files: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  await Promise.all(
    files.map(async (file) => {
      const owner = packageOf(file);
      if (owner === undefined || !/\.[cm]?js$/.test(file)) return;
      const code = await readFile(file, 'utf8');
      if (ownPath.test(code) && opensFiles.test(code)) found.add(owner.folder);
    }),
  );
  return found;
}

/** Bytes of one package in a bundle. `aws-sdk` 2 has 24 MB and loads its services when they are asked for. */
const largestBundled = 8 * 1024 * 1024;

/**
 * Folders of the packages that a bundle could hold, but that work better where they are installed: code
 * of many megabytes, which a component host would have to read at every start, and packages that look
 * for files of their own through `require` under another name (`moment` does for its locales: from
 * inside a bundle it finds none and stays English).
 *
 * @param sizes bytes in the bundle by absolute path
 * @param code of the bundle
 */
export async function betterExternal(
  sizes: ReadonlyMap<string, number>,
  code: Uint8Array,
): Promise<string[]> {
  const packages = packagesOf(sizes);
  const found = packages.filter(({ bytes }) => bytes > largestBundled);
  if (aliasesRequire(code)) {
    for (const one of packages) {
      if (await anyFile(one.files, /=\s*require\s*;/)) found.push(one);
    }
  }
  return found.map(({ folder }) => folder);
}

interface BundledPackage {
  readonly folder: string;
  bytes: number;
  readonly files: string[];
}

function packagesOf(sizes: ReadonlyMap<string, number>): BundledPackage[] {
  const packages = new Map<string, BundledPackage>();
  for (const [file, bytes] of sizes) {
    const owner = packageOf(file);
    if (owner === undefined) continue;
    const one = packages.get(owner.folder) ?? { folder: owner.folder, bytes: 0, files: [] };
    packages.set(owner.folder, one);
    one.bytes += bytes;
    one.files.push(file);
  }
  return [...packages.values()];
}

/** Looks for what esbuild makes of `x = require;`. Most bundles have none, and no file need be read. */
function aliasesRequire(code: Uint8Array): boolean {
  return Buffer.from(code.buffer, code.byteOffset, code.byteLength).includes('= __require;');
}

async function anyFile(files: readonly string[], pattern: RegExp): Promise<boolean> {
  for (const file of files) {
    if (pattern.test(await readFile(file, 'utf8'))) return true;
  }
  return false;
}
