import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AskRuntime } from '../channel/requests.ts';

/** What `this.<dir>` is: files in the source's own temporary folder, which is also `STASH_DIR`. */
export interface Dir {
  /** Neither creates nor checks the file. Throws RangeError for a path that leads out of the folder. */
  open(path: unknown): DirFile;
}

/** The part of the platform's file object that components use (P14.8). */
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
  /** A URL at which the file can be fetched for half an hour. */
  toUrl(): Promise<string>;
  delete(): Promise<void>;
  /** Leaves out the platform's URL for uploads, which does not exist here. */
  withoutPutUrl(): DirFile;
  /** What the file is as data: `{path, get_url, s3Key, type}`. */
  withGetUrl(): Promise<object>;
  toJSON(): object;
}

/** @param folder of the source; without one, a folder among the system's temporary files */
export function dirFactory(folder: string | undefined, askRuntime: AskRuntime): () => Dir {
  const root = folder ?? join(tmpdir(), 'weir-stash');
  return () => ({ open: (path: unknown) => openFile(root, String(path), askRuntime) });
}

function openFile(root: string, path: string, askRuntime: AskRuntime): DirFile {
  const local = resolve(root, path.replace(/^[/\\]+/, ''));
  const inside = relative(root, local);
  if (inside === '' || inside.startsWith('..')) {
    throw new RangeError(`The path "${path}" does not name a file inside the directory.`);
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
      const filename = basename(local);
      return String(await askRuntime({ of: 'file', filename, contentType: type, content: local }));
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
