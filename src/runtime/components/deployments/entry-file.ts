import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { extname, isAbsolute } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';

/** File extensions of components (P1.18). */
const extensions = ['.ts', '.mts', '.js', '.mjs', '.cjs'];

/**
 * The real path of a component's file. Links are followed, so that relative imports and source maps
 * mean the file itself, wherever it is reached from.
 *
 * @throws WeirError `bad_input` when the path is not a file that can be a component.
 */
export async function entryFile(path: string): Promise<string> {
  if (!isAbsolute(path)) {
    throw new WeirError('bad_input', `"${path}" is not an absolute path; give the whole path.`);
  }
  const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new WeirError('bad_input', unreadable(path, error.code), undefined, error);
  });
  if (file.isDirectory()) {
    throw new WeirError('bad_input', `${path} is a folder; name the component's file inside it.`);
  }
  if (!file.isFile()) throw new WeirError('bad_input', `${path} is not a file.`);
  if (!extensions.includes(extname(path).toLowerCase())) {
    throw new WeirError(
      'bad_input',
      `${path} cannot be a component: its name must end in ${extensions.join(', ')}.`,
    );
  }
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new WeirError('bad_input', unreadable(path, error.code), undefined, error);
  });
  return realpath(path);
}

function unreadable(path: string, code = 'unknown error'): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}.`;
  if (code === 'ELOOP') return `${path} is a link that leads back to itself.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} cannot be read; check its permissions.`;
  return `${path} cannot be read (${code}).`;
}
