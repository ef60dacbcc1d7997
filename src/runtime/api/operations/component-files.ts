/**
 * Files of components, read and written for clients without an editor; a file that changed since it was read is not
 * overwritten.
 */
import type { ApiServices } from './api-services.ts';
import { createHash, randomUUID } from 'node:crypto';
import { link, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { fileInWorkspace } from './file-in-workspace.ts';
import type { Handlers } from './operations.ts';

type ComponentFileHandlers = Pick<Handlers, 'component_files.read' | 'component_files.write'>;

export interface ComponentFileParts extends Pick<ApiServices, 'workspace' | 'dataFolder'> {}

export function componentFileHandlers(parts: ComponentFileParts): ComponentFileHandlers {
  return {
    'component_files.read': async ({ path }) => {
      const file = await fileInWorkspace(path, parts);
      const code = await textOf(file);
      if (code === undefined) throw new WeirError('not_found', `There is no file ${file}.`);
      return { path: file, code, hash: hashOf(code) };
    },
    'component_files.write': async ({ path, code, replaces }) => {
      const file = await fileInWorkspace(path, parts);
      refuseOther(file, await textOf(file), replaces);
      await mkdir(dirname(file), { recursive: true });
      // Nobody sees half of it, and a link that was put there meanwhile is replaced, not followed.
      const draft = `${file}.${randomUUID()}.tmp`;
      try {
        await writeFile(draft, code, { flag: 'wx' });
        refuseOther(file, await textOf(file), replaces);
        if (replaces === undefined) await linkNew(draft, file);
        else await rename(draft, file);
      } finally {
        await rm(draft, { force: true });
      }
      return { path: file, hash: hashOf(code), created: replaces === undefined };
    },
  };
}

/** @throws WeirError `conflict` when the file is not what its writer takes it for */
function refuseOther(file: string, found: string | undefined, replaces: string | undefined): void {
  const is = found === undefined ? undefined : hashOf(found);
  if (is === replaces) return;
  throw new WeirError(
    'conflict',
    is === undefined
      ? `There is no file ${file} any more: leave "replaces" out to write a new one.`
      : replaces === undefined
        ? `${file} is there already: read it, and give its hash as "replaces" to take its place.`
        : `${file} has been changed since it was read: read it again before you replace it.`,
  );
}

/** Unlike a rename it takes nobody's place. */
async function linkNew(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    refuseOther(file, (await textOf(file)) ?? '', undefined);
  }
}

/** @throws WeirError `bad_input` for what is no plain file */
async function textOf(file: string): Promise<string | undefined> {
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  if (stats.isFile()) return readFile(file, 'utf8');
  throw new WeirError('bad_input', `${file} is not a regular file. Choose another file.`);
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
