/** The platform's file object (P14.8): of a `dir` prop, and of `$.files`. */
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AskRuntime } from '../channel/requests.ts';
import { fileWriter } from './file-writer.ts';

export interface StoredFile {
  /** Below its folder, with `/`. */
  readonly path: string;
  fromReadableStream(
    stream: Readable | ReadableStream,
    contentType?: unknown,
    size?: unknown,
  ): Promise<StoredFile>;
  fromFile(path: string, contentType?: unknown): Promise<StoredFile>;
  /** Rejects for an answer that is no 2xx. */
  fromUrl(url: unknown): Promise<StoredFile>;
  toFile(path: string): Promise<void>;
  toBuffer(): Promise<Buffer>;
  /** @param end exclusive, in bytes */
  toEncodedString(encoding?: BufferEncoding, start?: number, end?: number): Promise<string>;
  createReadStream(): ReadStream;
  createWriteStream(contentType?: unknown, size?: unknown): Promise<Writable>;
  /** A URL at which the file can be fetched for half an hour. */
  toUrl(): Promise<string>;
  delete(): Promise<void>;
  /** Leaves out the platform's URL for uploads, which does not exist here. */
  withoutPutUrl(): StoredFile;
  /** The file as data: `{path, get_url, s3Key, type}`. */
  withGetUrl(): Promise<object>;
  toJSON(): object;
}

/**
 * Neither creates nor checks the file.
 * @param root of the folder, absolute
 * @throws RangeError for a path that leads out of it; so do the calls that would follow a link out of it
 */
export function storedFile(
  root: string,
  path: string,
  askRuntime: AskRuntime,
  type = 'application/octet-stream',
): StoredFile {
  const local = below(root, path);
  if (local === root) throw leadsOut(path);
  const shown = relative(root, local).split(sep).join('/');
  let contentType = type;
  const reading = async (): Promise<string> => {
    await requireInside(root, local, path);
    return local;
  };
  const written = async (source: Readable, given: unknown): Promise<StoredFile> => {
    await pipeline(source, await writer(given));
    return file;
  };
  const writer = async (given: unknown): Promise<Writable> => {
    await requireInside(root, dirname(local), path);
    if (typeof given === 'string' && given !== '') contentType = given;
    return fileWriter(local);
  };
  const data = () => ({ path: shown, s3Key: shown, type: contentType });
  const file: StoredFile = {
    path: shown,
    fromReadableStream: (stream, given) => written(readable(stream), given),
    fromFile: (from, given) => written(createReadStream(from), given),
    async fromUrl(url) {
      const response = await fetch(String(url));
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        throw new Error(`${String(url)} was answered ${response.status}; ${shown} is as before.`);
      }
      return written(readable(response.body), response.headers.get('content-type'));
    },
    async toFile(to) {
      await pipeline(createReadStream(await reading()), fileWriter(resolve(to)));
    },
    toBuffer: async () => readFile(await reading()).catch(emptyIfMissing),
    toEncodedString: async (encoding = 'utf8', start, end) =>
      (await file.toBuffer()).subarray(start, end).toString(encoding),
    createReadStream: () => createReadStream(local),
    createWriteStream: (given) => writer(given),
    async toUrl() {
      const filename = basename(local);
      const content = await reading();
      return String(await askRuntime({ of: 'file', filename, contentType, content }));
    },
    delete: async () => rm(await reading(), { force: true }),
    withoutPutUrl: () => file,
    withGetUrl: async () => ({ ...data(), get_url: await file.toUrl() }),
    toJSON: data,
  };
  return file;
}

/** On the platform a file exists as soon as it is opened. */
function emptyIfMissing(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ENOENT') return Buffer.alloc(0);
  throw error;
}

/** @throws RangeError for a path that leads out of the folder */
export function below(root: string, path: string): string {
  const local = resolve(root, path.replace(/^[/\\]+/, ''));
  if (isOutside(root, local)) throw leadsOut(path);
  return local;
}

/** An existing file may be a link to elsewhere. @throws RangeError */
export async function requireInside(root: string, local: string, path: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (let at = local; !isOutside(root, at); at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined) continue;
    if (isOutside(await realpath(root), real)) throw leadsOut(path);
    return;
  }
}

function isOutside(root: string, local: string): boolean {
  const inside = relative(root, local);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

function leadsOut(path: string): RangeError {
  return new RangeError(`The path "${path}" does not name a file inside the directory.`);
}

/** Recognized by its shape: packages have classes of their own, such as that of `readable-stream`. */
function readable(stream: unknown): Readable {
  if (stream instanceof Readable) return stream;
  const { pipe, on, getReader } = (stream ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof pipe === 'function' && typeof on === 'function') {
    return new Readable().wrap(stream as NodeJS.ReadableStream);
  }
  if (typeof getReader === 'function') {
    return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  }
  if (typeof stream !== 'object' || stream === null) {
    throw new TypeError('fromReadableStream: a stream is required.');
  }
  return Readable.from(stream as Iterable<unknown>);
}
