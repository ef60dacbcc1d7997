import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, copiedPackage } from '../bundles.mts';
import { npm } from '../npm.mts';
import { cliBundles, cliFiles, cliManifest, cliName, type Checkout } from './cli-contents.mts';
import { bundledPackages, thirdPartyNotices } from './notices.mts';

/** What has to be downloaded at most, in MB; esbuild comes on top. */
const limit = 2;

export interface CliPackage {
  readonly file: string;
  readonly megabytes: number;
}

/**
 * Makes `weir-cli-<version>.tgz`, which `npm install` takes as it would take the published package.
 *
 * @param outdir where it goes
 * @throws Error when a file is missing or too many, or when it has become too big
 */
export async function packageCli(outdir: string): Promise<CliPackage> {
  // A folder of this process: dist/ stays as it is, and runs side by side keep apart.
  const folder = path.resolve('.cache', 'package-cli', String(process.pid));
  try {
    return await packIn(folder, outdir);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function packIn(folder: string, outdir: string): Promise<CliPackage> {
  const metafiles = await build({
    names: cliBundles,
    outdir: path.join(folder, 'dist'),
    production: true,
    watch: false,
  });
  // esbuild is a dependency: npm brings it with its license.
  const notices = await thirdPartyNotices([
    ...bundledPackages(metafiles),
    `node_modules/${copiedPackage}`,
  ]);
  const checkout = JSON.parse(await readFile('package.json', 'utf8')) as Checkout;
  const manifest = `${JSON.stringify(cliManifest(checkout), null, 2)}\n`;
  await writeFile(path.join(folder, 'package.json'), manifest);
  await writeFile(path.join(folder, 'ThirdPartyNotices.txt'), notices);
  await cp('scripts/package/cli/README.md', path.join(folder, 'README.md'));
  for (const name of ['LICENSE', 'schemas']) {
    await cp(name, path.join(folder, name), { recursive: true });
  }
  await checkContents(folder);
  await mkdir(outdir, { recursive: true });
  await npm(folder, ['pack', '--pack-destination', path.resolve(outdir)]);
  const file = path.resolve(outdir, `${cliName}-${checkout.version}.tgz`);
  const megabytes = (await stat(file)).size / 1e6;
  if (megabytes <= limit) return { file, megabytes };
  throw new Error(`${file} has ${megabytes.toFixed(1)} MB; ${limit} MB are the limit.`);
}

/** A file too many or too few would show up only where the package is installed. */
async function checkContents(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'));
  const missing = cliFiles.filter((file) => !files.includes(file));
  const unlisted = files.filter((file) => !cliFiles.includes(file));
  if (missing.length === 0 && unlisted.length === 0) return;
  throw new Error(
    `Missing in the package: ${missing.join(', ') || 'nothing'}; not listed: ${unlisted.join(', ') || 'nothing'}. Compare scripts/package/cli-contents.mts.`,
  );
}
