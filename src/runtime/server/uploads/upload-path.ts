/** Paths that may be uploaded, and where they may be (pure). */
import { WeirError } from '../../../protocol/errors.ts';

/** Folders that are made on the machine itself, or are no part of the code. */
const neverUploaded = new Set(['node_modules', '.git', '.weir']);

/** Windows forbids the first ones; the last one ends a path for the file system. */
// oxlint-disable-next-line no-control-regex -- a control character is what is looked for
const forbidden = /[<>:"|?*\\\u0000-\u001f]/;

/**
 * Checks a path below a project: relative, with `/`, without `.` or `..`, the same on every machine.
 * @throws WeirError `bad_input` that says what is wrong with it
 */
export function checkUploadPath(path: string): void {
  const parts = path.split('/');
  const why = parts.some((part) => part === '' || part === '.' || part === '..')
    ? 'is not a path below the project'
    : parts.some((part) => neverUploaded.has(part))
      ? `is in a folder that is not uploaded (${[...neverUploaded].join(', ')})`
      : forbidden.test(path) || parts.some((part) => part.endsWith('.') || part.endsWith(' '))
        ? 'has a character that not every machine can store'
        : path.length > 400
          ? 'is longer than 400 characters'
          : undefined;
  if (why === undefined) return;
  throw new WeirError('bad_input', `${JSON.stringify(path)} ${why}: leave it out or rename it.`);
}

/** Whether a file that is here stays: its folder is uploaded whole, and it was not among the files. */
export function isLeftOver(
  path: string,
  uploaded: ReadonlySet<string>,
  folders: readonly string[],
): boolean {
  if (uploaded.has(path)) return false;
  return folders.some((folder) => path.startsWith(`${folder}/`));
}
