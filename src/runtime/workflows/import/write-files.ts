/** Files that come from elsewhere, written beside what is there already. */
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Dirent } from 'node:fs';
import { WeirError } from '../../../protocol/errors.ts';
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

/**
 * Writes the files that are not here. Those that are here with other content are written with `replace`, and otherwise
 * compared with what was imported last.
 * @param files by their path below the folder, with "/"
 * @throws WeirError `bad_input` for a path that leads through a symbolic link; nothing is written then
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  { replace }: { readonly replace: boolean },
): Promise<Written> {
  for (const path of files.keys()) await requireNoLink(folder, path);
  const before = await readImportRecord(folder);
  const record = new Map(before);
  const written: string[] = [];
  const kept: KeptFile[] = [];
  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    written.push(target);
  };
  for (const [path, content] of files) {
    if (path === originalFileName) continue;
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    const target = join(folder, path);
    const here = await readFile(target).catch(() => undefined);
    const next = digestOf(bytes);
    const change =
      here === undefined ? undefined : changeOf(digestOf(here), next, before.get(path));
    if (change !== undefined && !replace) {
      kept.push({ file: target, change });
      continue;
    }
    if (here === undefined || change !== undefined) await write(path, bytes);
    record.set(path, next);
  }
  const original = files.get(originalFileName);
  if (original !== undefined) {
    const bytes = typeof original === 'string' ? Buffer.from(original) : Buffer.from(original);
    const here = await readFile(join(folder, originalFileName)).catch(() => undefined);
    const last = before.get(originalFileName);
    const isUntouched = here === undefined ? last === undefined : digestOf(here) === last;
    const next = digestOf(bytes);
    // It stands for the files beside it: a newer one where they stayed would say what is not so.
    if (replace || (isUntouched && kept.length === 0)) {
      if (here === undefined || digestOf(here) !== next) await write(originalFileName, bytes);
      record.set(originalFileName, next);
    }
  }
  if (files.size > 0) await writeImportRecord(folder, before, record);
  return { written, kept };
}

/**
 * What is imported is written into the folder, and nowhere else.
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

/** What lies in a folder, without what git and npm keep there; links are not followed. */
export async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && entry.name !== 'node_modules') folders.push(path);
      } else if (entry.isFile() && entry.name !== importRecordName) {
        files.set(relative(folder, path).replaceAll('\\', '/'), await readFile(path));
      }
    }
  }
  return files;
}
