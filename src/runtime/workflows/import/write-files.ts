/** Files that come from elsewhere, written beside what is there already. */
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WeirError } from '../../../protocol/errors.ts';
import { writeInside } from '../../../protocol/write-inside.ts';
import { type Change, changeOf, digestOf } from './compare.ts';
import { importRecordName, readImportRecord, writeImportRecord } from './import-record.ts';
import { originalFileName } from './write-workflow.ts';

export interface Written {
  /** Files that were written, absolute. */
  readonly written: readonly string[];
  /** Files that are here with other content, and stay as they are. */
  readonly kept: readonly KeptFile[];
}

export interface KeptFile {
  /** Absolute. */
  readonly file: string;
  readonly change: Change;
}

/** Content that is read when it is needed, as it may be large. */
export interface FileOnDisk {
  /** Absolute path. */
  readonly file: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Writes the files that are not here. Existing files with other content are overwritten with `replace`, and otherwise
 * compared with the last import.
 * @param files by their path below the folder, with "/"
 * @throws WeirError `bad_input` for a path that leads through a symbolic link; nothing is written then
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string | FileOnDisk>,
  { replace }: { readonly replace: boolean },
): Promise<Written> {
  for (const path of files.keys()) await requireNoLink(folder, path);
  const before = await readImportRecord(folder);
  const record = new Map(before);
  const written: string[] = [];
  const kept: KeptFile[] = [];
  const write = async (path: string, content: string | FileOnDisk): Promise<void> => {
    const bytes = typeof content === 'string' ? content : createReadStream(content.file);
    await writeInside(folder, path, bytes);
    written.push(join(folder, path));
  };
  for (const [path, content] of files) {
    if (path === originalFileName) continue;
    const target = join(folder, path);
    const here = await digestAt(target);
    const next = await digestOfContent(content);
    const change = here === undefined ? undefined : changeOf(here, next, before.get(path));
    if (change !== undefined && !replace) {
      kept.push({ file: target, change });
      continue;
    }
    if (here === undefined || change !== undefined) await write(path, content);
    record.set(path, next);
  }
  const original = files.get(originalFileName);
  if (original !== undefined) {
    const here = await digestAt(join(folder, originalFileName));
    const last = before.get(originalFileName);
    const isUntouched = here === last;
    const next = await digestOfContent(original);
    // It stands for the files beside it: a newer one where they stayed would say what is not so.
    if (replace || (isUntouched && kept.length === 0)) {
      if (here !== next) await write(originalFileName, original);
      record.set(originalFileName, next);
    }
  }
  if (files.size > 0) await writeImportRecord(folder, before, record);
  return { written, kept };
}

/**
 * An import writes only into the folder.
 * @throws WeirError `bad_input` for a path that leads through a symbolic link
 */
export async function requireNoLink(folder: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (const [index] of parts.entries()) {
    const at = join(folder, ...parts.slice(0, index + 1));
    const found = await lstat(at).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isSymbolicLink()) continue;
    throw new WeirError(
      'bad_input',
      `${at} is a symbolic link, and nothing is imported through one. Remove it, or choose another folder with --to.`,
    );
  }
}

function digestOfContent(content: string | FileOnDisk): string | Promise<string> {
  return typeof content === 'string' ? digestOf(Buffer.from(content)) : digestOfFile(content.file);
}

/** Undefined where no file is. */
async function digestAt(file: string): Promise<string | undefined> {
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile ? digestOfFile(file) : undefined;
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The files in a folder, without those of git and npm; links are not followed. */
export async function filesIn(folder: string): Promise<Map<string, FileOnDisk>> {
  const files = new Map<string, FileOnDisk>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const file = join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && entry.name !== 'node_modules') folders.push(file);
      } else if (entry.isFile() && entry.name !== importRecordName) {
        const { size } = await stat(file);
        files.set(relative(folder, file).replaceAll('\\', '/'), { file, size });
      }
    }
  }
  return files;
}
