import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AskRuntime } from '../asks.ts';
import type { Maker } from './maker.ts';

/** What `this.<dir>` is: files in the source's own temporary folder, which `STASH_DIR` names, too. */
export interface Dir {
  /** Neither creates nor checks the file. Throws RangeError for a path that leads out of the folder. */
  open(path: unknown): DirFile;
}

/** Of the platform's file object the part that components use (P14.8). */
export interface DirFile {
  readonly path: string;
  fromReadableStream(
    stream: Readable | ReadableStream,
    contentType?: unknown,
    size?: unknown,
  ): Promise<DirFile>;
  fromFile(path: string, contentType?: unknown): Promise<DirFile>;
  toFile(path: string): Promise<void>;
  toBuffer(): Promise<Buffer>;
  createReadStream(): ReadStream;
  /** An address at which the file can be fetched for half an hour. */
  toUrl(): Promise<string>;
  delete(): Promise<void>;
  /** The platform has an address for uploads; there is none here to leave out. */
  withoutPutUrl(): DirFile;
  /** What the file is as data: `{path, get_url, s3Key, type}`. */
  withGetUrl(): Promise<object>;
  toJSON(): object;
}

/** @param folder of the source; a file that is only looked at uses the system's */
export function dirMaker(folder: string | undefined, ask: AskRuntime): Maker {
  const root = folder ?? join(tmpdir(), 'weir-stash');
  return () => ({ open: (path: unknown) => openFile(root, String(path), ask) });
}

function openFile(root: string, path: string, ask: AskRuntime): DirFile {
  const local = resolve(root, path.replace(/^[/\\]+/, ''));
  const inside = relative(root, local);
  if (inside === '' || inside.startsWith('..')) {
    throw new RangeError(`The path "${path}" names no file inside of the directory.`);
  }
  let type = 'application/octet-stream';
  const written = async (contentType: unknown, write: () => Promise<unknown>): Promise<DirFile> => {
    await mkdir(dirname(local), { recursive: true });
    await write();
    if (typeof contentType === 'string' && contentType !== '') type = contentType;
    return file;
  };
  const data = () => ({ path: inside, s3Key: inside, type });
  const file: DirFile = {
    path: inside,
    fromReadableStream: (stream, contentType) =>
      written(contentType, () => pipeline(readable(stream), createWriteStream(local))),
    fromFile: (from, contentType) => written(contentType, () => copyFile(from, local)),
    toFile: (to) => copyFile(local, to),
    toBuffer: () => readFile(local),
    createReadStream: () => createReadStream(local),
    async toUrl() {
      const about = { filename: basename(local), contentType: type };
      return String(await ask({ of: 'file', ...about, content: local }));
    },
    delete: () => rm(local, { force: true }),
    withoutPutUrl: () => file,
    withGetUrl: async () => ({ ...data(), get_url: await file.toUrl() }),
    toJSON: data,
  };
  return file;
}

function readable(stream: Readable | ReadableStream): Readable {
  return stream instanceof Readable
    ? stream
    : Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}
