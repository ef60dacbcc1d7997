/** The files of an npm tarball, in memory: nothing of it is written before a yes. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Tree } from '../tree.ts';

/** Packages of components have some hundred small files. */
const mostFiles = 5000;
const mostBytes = 64 * 1024 * 1024;

/**
 * @param what it is, for messages
 * @throws WeirError `bad_component` for one that is damaged, too large, or has files outside of itself
 */
export async function tarballTree(bytes: Uint8Array, what: string): Promise<Tree> {
  const files = new Map<string, Uint8Array>();
  let size = 0;
  const entries = Readable.from([bytes]).pipe(createGunzip()).pipe(extract());
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > mostBytes) throw refused(what, `is larger than ${mostBytes / 1024 / 1024} MB`);
        chunks.push(chunk);
      }
      // A link could lead anywhere, and npm leaves them out as well.
      if (type !== 'file' && type !== 'contiguous-file') continue;
      const path = name.split('/').slice(1).join('/');
      if (!isInside(path))
        throw refused(what, `has a file outside of itself, "${name.slice(0, 100)}"`);
      // npm would read this file as its configuration.
      if (path.split('/').includes('.npmrc')) continue;
      files.set(path, Buffer.concat(chunks));
      if (files.size > mostFiles) throw refused(what, `has more than ${mostFiles} files`);
    }
  } catch (error) {
    if (WeirError.is(error)) throw error;
    throw refused(what, `cannot be unpacked (${messageOf(error)})`);
  }
  return {
    paths: new Set(files.keys()),
    read: (paths) =>
      Promise.resolve(
        new Map(
          paths.flatMap((path) => {
            const data = files.get(path);
            return data === undefined ? [] : [[path, data] as const];
          }),
        ),
      ),
  };
}

function isInside(path: string): boolean {
  if (path === '' || path.includes('\\') || /^[a-z]:/i.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function refused(what: string, why: string): WeirError {
  return new WeirError('bad_component', `The package ${what} ${why}; it is not taken.`);
}
