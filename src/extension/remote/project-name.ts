/** How a folder's project is called on other machines (pure). */
import { createHash } from 'node:crypto';

/**
 * The same name for everybody who works on a clone of the same repository, so that they see each other's sources as
 * theirs.
 * @param folder the folder's name
 * @param repository its origin and the folder's path in it; otherwise a text that distinguishes this folder from all
 * others
 * @returns small letters, digits and `-`
 */
export function projectName(folder: string, repository: string): string {
  const readable = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const hash = createHash('sha256').update(repository).digest('hex').slice(0, 12);
  return readable === '' ? hash : `${readable}-${hash}`;
}

/**
 * The address of `origin` in the text of a `.git/config`, without what differs from clone to clone: the protocol, the user
 * and `.git`. Undefined without one.
 */
export function originOf(config: string): string | undefined {
  const section = /^\[remote "origin"\]\s*\n((?:(?!\[).*\n?)*)/m.exec(config)?.[1];
  const url = section === undefined ? undefined : /^\s*url\s*=\s*(\S+)/m.exec(section)?.[1];
  return url
    ?.replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(':', '/')
    .replace(/\.git\/?$/, '')
    .replace(/\/$/, '');
}
