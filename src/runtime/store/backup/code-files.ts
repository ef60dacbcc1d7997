/**
 * The files that a data folder needs besides its store to run again: the code of saved components, and its packages.
 */
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ComponentRecord } from '../configuration/components.ts';
import type { BackupFile } from '../sqlite/backup.ts';

/**
 * Files of the deployments of these components, of the packages they link to as far as Weir installed them,
 * and of the text that some were given as. None of it may be removed meanwhile: a file that is gone before it
 * is read throws. A deployment whose folder was gone before is left out, as the runtime lives without it too.
 * @param root the data folder, links resolved
 */
export async function* codeFiles(
  root: string,
  components: readonly Pick<ComponentRecord, 'hash' | 'path'>[],
): AsyncGenerator<BackupFile> {
  const packages = new Set<string>();
  for (const hash of new Set(components.map((one) => one.hash))) {
    for await (const file of filesOf(root, join('deployments', hash))) {
      const installed = await packageFolder(root, file);
      if (installed !== undefined) packages.add(installed);
      yield file;
    }
  }
  for (const folder of packages) yield* filesBelow(root, folder);
  // A path that another data folder gave them still has the name.
  const names = new Set(components.flatMap(({ path }) => (path === null ? [] : [basename(path)])));
  for (const name of names) yield* filesOf(root, join('code', name));
}

/** None when there is nothing at this path. */
async function* filesOf(root: string, path: string): AsyncGenerator<BackupFile> {
  if (existsSync(join(root, path))) yield* filesBelow(root, path);
}

async function* filesBelow(root: string, path: string): AsyncGenerator<BackupFile> {
  const full = join(root, path);
  const stat = await lstat(full);
  const named = { path: path.replaceAll(sep, '/'), mode: stat.mode & 0o777 };
  if (stat.isSymbolicLink()) {
    yield { ...named, content: { link: portable(root, full, await readlink(full)) } };
  } else if (stat.isDirectory()) {
    for (const name of (await readdir(full)).sort()) yield* filesBelow(root, join(path, name));
  } else if (stat.isFile()) {
    yield { ...named, content: await readFile(full) };
  }
}

/** A link within the data folder leads there from wherever the folder is put. */
function portable(root: string, link: string, target: string): string {
  return target.startsWith(root + sep) ? relative(dirname(link), target) : target;
}

/** `packages/<name>@<version>`, when the file is a link into one. */
async function packageFolder(
  root: string,
  { path, content }: BackupFile,
): Promise<string | undefined> {
  if (content instanceof Uint8Array) return undefined;
  const target = await realpath(join(root, path)).catch(() => '');
  const [packages, name] = relative(root, target).split(sep);
  return packages === 'packages' && name !== undefined ? join(packages, name) : undefined;
}
