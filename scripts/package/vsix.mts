import { rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { allBundles, build, copiedPackage, type BundleName } from '../bundles.mts';
import { contentsOf, type Target } from './contents.mts';
import { bundledPackages, thirdPartyNotices } from './notices.mts';
import { stage, type Built } from './stage.mts';

/** What a user has to download at most, in MB. */
const limit = 8;

/** See {@link contentsOf}. */
const notShipped: readonly BundleName[] = ['cli', 'component'];

export interface Vsix {
  readonly file: string;
  readonly megabytes: number;
}

/**
 * Makes `weir-<target>-<version>.vsix` for each target.
 *
 * @param outdir where they go
 * @throws Error when one has become too big
 */
export async function packageVsix(
  wanted: readonly Target[],
  outdir: string,
  version: string,
): Promise<Vsix[]> {
  // A folder of this process: dist/ stays as it is, and runs side by side keep apart.
  const folder = path.resolve('.cache', 'package', String(process.pid));
  // At the exit, because vsce ends the process by itself when it refuses.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built = await buildOnce(path.join(folder, 'dist'));
  const made: Vsix[] = [];
  for (const target of wanted) {
    const staging = path.join(folder, target);
    await stage(target, staging, built);
    await checkAllListed(target, built);
    const file = path.resolve(outdir, `weir-${target}-${version}.vsix`);
    await createVSIX({
      cwd: staging,
      target,
      packagePath: file,
      // The project has no public address yet, and the README refers to none.
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
    made.push({ file, megabytes: await checkedSize(file) });
  }
  return made;
}

async function buildOnce(dist: string): Promise<Built> {
  const metafiles = await build({
    names: allBundles.filter((name) => !notShipped.includes(name)),
    outdir: dist,
    production: true,
    watch: false,
  });
  const unbundled = [copiedPackage, 'esbuild'].map((name) => `node_modules/${name}`);
  const folders = [...bundledPackages(metafiles), ...unbundled];
  return { dist, notices: await thirdPartyNotices(folders) };
}

/** A bundle that is built but not listed would be missed only where it is installed. */
async function checkAllListed(target: Target, { dist }: Built): Promise<void> {
  const listed = contentsOf(target);
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join('dist', path.relative(dist, entry.parentPath), entry.name);
    if (entry.isFile() && !listed.includes(file.replaceAll(path.sep, '/'))) {
      throw new Error(`${file} is built, but scripts/package/contents.mts does not list it.`);
    }
  }
}

async function checkedSize(file: string): Promise<number> {
  const megabytes = (await stat(file)).size / 1e6;
  if (megabytes <= limit) return megabytes;
  throw new Error(`${file} has ${megabytes.toFixed(1)} MB; ${limit} MB are the limit.`);
}
