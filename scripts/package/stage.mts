import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npm } from '../npm.mts';
import { manifestFor, targets, type Target } from './contents.mts';

/** What is the same for every platform. */
export interface Built {
  /** The folder of the production bundles. */
  readonly dist: string;
  readonly notices: string;
}

/** Puts together, in an emptied folder, what the VSIX of one platform is made of. */
export async function stage(target: Target, folder: string, built: Built): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const packageJson = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>;
  const readme = withoutLocalLinks(await readFile('README.md', 'utf8'));
  await writeFile(path.join(folder, 'package.json'), json(manifestFor(packageJson)));
  await writeFile(path.join(folder, 'README.md'), readme);
  await writeFile(path.join(folder, 'ThirdPartyNotices.txt'), built.notices);
  for (const name of ['.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'media', 'schemas']) {
    await cp(name, path.join(folder, name), { recursive: true });
  }
  await cp(built.dist, path.join(folder, 'dist'), { recursive: true });
  await installEsbuild(target, folder);
}

/**
 * Installs the one dependency that is not bundled as npm would on the target: from the lock file, so
 * that a binary nobody here can run is still the one whose checksum was committed.
 */
async function installEsbuild(target: Target, folder: string): Promise<void> {
  await cp('package-lock.json', path.join(folder, 'package-lock.json'));
  const { os, cpu } = targets[target];
  // Without scripts: esbuild's own would put a second copy of the binary beside the first.
  await npm(folder, ['ci', '--omit=dev', '--ignore-scripts', `--os=${os}`, `--cpu=${cpu}`]);
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * The README as an installed extension shows it: with no repository beside it, what points into one
 * would be a broken image or a dead link. Local images go, local links become their text.
 */
export function withoutLocalLinks(markdown: string): string {
  return markdown
    .replaceAll(/^ *!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replaceAll(/ *!\[[^\]]*\]\((?!https:)[^)]*\)/g, '')
    .replaceAll(/(?<!!)\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
}
