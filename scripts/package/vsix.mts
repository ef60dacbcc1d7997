import { rmSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { allBundles, build, copiedPackage, type BundleName } from '../bundles.mts';
import { contentsOf, type Target } from './contents.mts';
import { bundledPackages, thirdPartyNotices } from './notices.mts';
import { stage, type Built } from './stage.mts';
import { createVsix, listedByVsce } from './vsce.mts';

/** What a user has to download at most, in MB. */
const limit = 8;

/** See {@link contentsOf}. */
const notShipped: readonly BundleName[] = ['cli', 'component', 'tracing', 'postgres'];

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
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built = await buildOnce(path.join(folder, 'dist'));
  await mkdir(outdir, { recursive: true });
  const made: Vsix[] = [];
  for (const target of wanted) {
    const staging = path.join(folder, target);
    await stage(target, staging, built);
    await checkContents(target, staging);
    const file = path.resolve(outdir, `weir-${target}-${version}.vsix`);
    await createVsix(staging, target, file);
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

/**
 * A file too many or too few would show up only where the VSIX is installed.
 * @throws Error unless vsce lets in what is listed, and everything that was built is listed
 */
async function checkContents(target: Target, staging: string): Promise<void> {
  const listed = contentsOf(target);
  const files = await listedByVsce(staging);
  const built = await readdir(path.join(staging, 'dist'), { recursive: true, withFileTypes: true });
  const builtFiles = built
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(staging, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'));
  const missing = listed.filter((file) => !files.includes(file));
  const unlisted = [...files, ...builtFiles].filter((file) => !listed.includes(file));
  if (missing.length === 0 && unlisted.length === 0) return;
  throw new Error(
    `${target}: missing in the VSIX: ${missing.join(', ') || 'nothing'}; not listed: ${unlisted.join(', ') || 'nothing'}. Compare .vscodeignore and scripts/package/contents.mts.`,
  );
}

async function checkedSize(file: string): Promise<number> {
  const megabytes = (await stat(file)).size / 1e6;
  if (megabytes <= limit) return megabytes;
  throw new Error(`${file} has ${megabytes.toFixed(1)} MB; ${limit} MB are the limit.`);
}
