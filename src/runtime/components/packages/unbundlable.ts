import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, packageOf, readPackageJson } from './nearest.ts';

/** Packages that only load native addons for others. */
const addonLoaders = [
  'bindings',
  'node-addon-api',
  'node-gyp-build',
  'node-pre-gyp',
  '@mapbox/node-pre-gyp',
  'prebuild-install',
];

/** True for a package that brings a native addon: a bundle cannot hold it. */
export async function isNative(folder: string): Promise<boolean> {
  const manifest = await readPackageJson(folder);
  if (manifest === undefined) return false;
  const { gypfile, binary, napi, dependencies = {} } = manifest;
  if (gypfile === true || binary !== undefined || napi !== undefined) return true;
  if (addonLoaders.some((loader) => loader in dependencies)) return true;
  return (await exists(join(folder, 'binding.gyp'))) || exists(join(folder, 'prebuilds'));
}

const ownPlace = /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b/;
const opensFiles =
  /\b(?:readFile|readdir|existsSync|statSync|createReadStream|dlopen|Worker|fork|spawn)|require\.resolve|\brequire\(\s*[^\s'"`)]/;

/**
 * Folders of the packages among bundled files that read files beside themselves (a proto file, a
 * worker, a browser): from inside a bundle they would look in the wrong place.
 */
export async function readersBesideThemselves(files: readonly string[]): Promise<Set<string>> {
  const readers = new Set<string>();
  await Promise.all(
    files.map(async (file) => {
      const owner = packageOf(file);
      if (owner === undefined || !/\.[cm]?js$/.test(file)) return;
      const code = await readFile(file, 'utf8');
      if (ownPlace.test(code) && opensFiles.test(code)) readers.add(owner.folder);
    }),
  );
  return readers;
}
