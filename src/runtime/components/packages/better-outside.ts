import { readFile } from 'node:fs/promises';
import { packageOf } from './nearest.ts';

/** Bytes of one package in a bundle. `aws-sdk` 2 has 24 MB and loads its services when they are asked for. */
const largestBundled = 8 * 1024 * 1024;

/**
 * Folders of the packages that a bundle could hold, but that do better where they are installed: code
 * of many megabytes, which a component host would have to read at every start, and packages that look
 * for files of their own through `require` under another name (`moment` does for its locales: from
 * inside a bundle it finds none and stays English).
 *
 * One that is there in two versions is bundled all the same: only one can be outside.
 *
 * @param sizes bytes in the bundle by absolute path
 * @param code of the bundle
 */
export async function betterOutside(
  sizes: ReadonlyMap<string, number>,
  code: Uint8Array,
): Promise<string[]> {
  const packages = packagesOf(sizes);
  const found = packages.filter(({ bytes }) => bytes > largestBundled);
  if (handsRequireOn(code)) {
    for (const one of packages) {
      if (await anyFile(one.files, /=\s*require\s*;/)) found.push(one);
    }
  }
  const names = packages.map(({ name }) => name);
  return found
    .filter(({ name }) => names.indexOf(name) === names.lastIndexOf(name))
    .map(({ folder }) => folder);
}

interface Bundled {
  readonly name: string;
  readonly folder: string;
  bytes: number;
  readonly files: string[];
}

function packagesOf(sizes: ReadonlyMap<string, number>): Bundled[] {
  const packages = new Map<string, Bundled>();
  for (const [file, bytes] of sizes) {
    const owner = packageOf(file);
    if (owner === undefined) continue;
    const one = packages.get(owner.folder) ?? { ...owner, bytes: 0, files: [] };
    packages.set(owner.folder, one);
    one.bytes += bytes;
    one.files.push(file);
  }
  return [...packages.values()];
}

/** What esbuild makes of `x = require;`. Most bundles have none, and no file need be read. */
function handsRequireOn(code: Uint8Array): boolean {
  return Buffer.from(code.buffer, code.byteOffset, code.byteLength).includes('= __require;');
}

async function anyFile(files: readonly string[], pattern: RegExp): Promise<boolean> {
  for (const file of files) {
    if (pattern.test(await readFile(file, 'utf8'))) return true;
  }
  return false;
}
