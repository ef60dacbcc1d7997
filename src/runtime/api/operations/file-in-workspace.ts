/** Which files callers that are not at the machine may name: code in the workspace, and not what tools keep there. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';

const codeExtensions = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']);

export interface Workspace {
  readonly workspace: string;
  readonly dataFolder: string;
}

/**
 * @param path absolute, or relative to the workspace; the file need not be there yet
 * @returns its path with every link of its folders followed
 * @throws WeirError `bad_input` for a file elsewhere, also by a link, for one in the data folder, in `node_modules` or a
 * folder whose name begins with a dot, and for one that is no code
 */
export async function fileInWorkspace(
  path: string,
  { workspace, dataFolder }: Workspace,
): Promise<string> {
  const root = await realpath(workspace);
  const named = resolve(workspace, path);
  const file = join(await realFolder(dirname(named)), basename(named));
  const kept = await realpath(dataFolder).catch(() => resolve(dataFolder));
  const refuse = (why: string): never => {
    throw new WeirError('bad_input', `${path} ${why}`);
  };
  if (!isBelow(root, file)) refuse(`is not in ${root}, the folder that components are written to.`);
  if (isBelow(kept, file)) refuse("is in Weir's data folder: name a file beside it.");
  const ways = [relative(root, file)];
  // As named, too: a link from a folder that tools keep for themselves is no way in.
  if (isBelow(workspace, named)) ways.push(relative(workspace, named));
  const taken = ways
    .flatMap((way) => way.split(sep))
    .find((part) => part.startsWith('.') || part === 'node_modules');
  if (taken !== undefined) {
    refuse(`is "${taken}" or lies in it, which is not for components: name another file.`);
  }
  if (!codeExtensions.has(extname(file))) {
    refuse(`is not a file of code: name one that ends in ${[...codeExtensions].join(', ')}.`);
  }
  return file;
}

/** With links followed as far as the folder is there. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return join(await realFolder(parent), basename(folder));
  }
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === file;
}
