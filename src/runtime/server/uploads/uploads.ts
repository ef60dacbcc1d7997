import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Params, Result } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { maxUploadBytes } from '../../../protocol/schemas/uploads.ts';
import { KeyedMutex } from '../../base/keyed-mutex.ts';
import { placeInside } from '../../../protocol/write-inside.ts';
import { temporaryIn } from '../../base/temporary-folders.ts';
import { checkUploadPath, isLeftOver } from './upload-path.ts';

type Upload = Params<'uploads.put'>;

/**
 * Files that clients on other machines deploy from. A project has the same folder for good, as what is deployed is known by
 * its path.
 */
export class Uploads {
  readonly #folder: string;
  readonly #turns = new KeyedMutex();

  /** @param folder made when the first file comes */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Absolute path of a project; it need not be there. */
  locate(project: string): string {
    return join(this.#folder, project);
  }

  /**
   * Writes those files whose content is given, each whole or not at all, unless others are missing.
   * @throws WeirError `bad_input` for a path outside of the project, a content that is not the hash's, or too many bytes
   */
  put(upload: Upload, signal: AbortSignal): Promise<Result<'uploads.put'>> {
    const folder = this.locate(upload.project);
    const contents = check(upload);
    return this.#turns.run(upload.project, () => write(folder, upload, contents), signal);
  }
}

/** The uploaded files, by path. */
function check({ files, folders = [] }: Upload): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const folder of folders) checkUploadPath(folder);
  for (const { path, hash, content } of files) {
    checkUploadPath(path);
    if (content === undefined) continue;
    const read = Buffer.from(content, 'base64');
    bytes += read.length;
    if (hashOf(read) !== hash) {
      throw new WeirError('bad_input', `The content of ${path} is not that of its hash.`);
    }
    contents.set(path, read);
  }
  if (bytes > maxUploadBytes) {
    const megabytes = maxUploadBytes / 1024 / 1024;
    throw new WeirError('bad_input', `The files have more than ${megabytes} MB together.`);
  }
  return contents;
}

async function write(
  folder: string,
  { files, folders = [] }: Upload,
  contents: ReadonlyMap<string, Buffer>,
): Promise<Result<'uploads.put'>> {
  // A link that code left there must not lead what follows out of the project.
  const places = new Map<string, string>();
  for (const path of [...files.map((file) => file.path), ...folders]) {
    places.set(path, await placeInside(folder, path, { followsLast: false }));
  }
  const placeOf = (path: string): string => places.get(path) ?? join(folder, path);
  const present = await Promise.all(
    files.map(async ({ path, hash }) => hash === (await hashAt(placeOf(path)))),
  );
  const absent = files.filter((_, index) => present[index] !== true);
  const missing = absent.flatMap(({ path }) => (contents.has(path) ? [] : [path]));
  if (missing.length > 0) return { folder, missing };
  const uploaded = new Set(files.map(({ path }) => path));
  for (const path of await filesIn(folder, folders)) {
    if (isLeftOver(path, uploaded, folders)) await rm(join(folder, path), { force: true });
  }
  // After the others: what was a file may be a folder now.
  for (const { path } of absent) {
    await writeWhole(placeOf(path), contents.get(path) ?? Buffer.alloc(0));
  }
  return { folder, missing };
}

/** Undefined where no file is. */
async function hashAt(file: string): Promise<string | undefined> {
  try {
    return hashOf(await readFile(file));
  } catch {
    return undefined;
  }
}

async function writeWhole(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = temporaryIn(dirname(file));
  try {
    await writeFile(temporary, content, { mode: 0o600 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EISDIR' && code !== 'ENOTDIR' && code !== 'ENOTEMPTY') throw error;
    // It was a folder, which is empty by now.
    await rm(file, { recursive: true, force: true });
    await writeFile(file, content, { mode: 0o600 });
  }
}

/** Paths with `/` of the files in these folders, without what npm installed there. */
async function filesIn(root: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    // A link instead of the folder was not uploaded, and its files belong to somebody else.
    const isFolder = await lstat(join(root, folder)).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) continue;
    const entries = await readdir(join(root, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    for (const entry of entries) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (entry.isFile() && !path.split('/').includes('node_modules')) found.push(path);
    }
  }
  return found;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
