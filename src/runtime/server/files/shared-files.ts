/**
 * Files that a component is given or hands on as a URL: parts of a form, bodies too large for an event,
 * what it put into a `dir`. Each can be fetched at an unguessable address for half an hour, as on the
 * platform (P7.11, P7.16); the addresses do not outlive the runtime (P7.17).
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileRequest } from '../../../protocol/host.ts';
import type { BaseServices } from '../../base/services.ts';

export interface SharedFile {
  /** Absolute. */
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
}

export interface SharedFilesOptions extends Pick<BaseServices, 'clock'> {
  /** Folder for files that are only there to be fetched; emptied by `open`. */
  readonly folder: string;
  /** Unguessable; begins with `filePrefix`, which no id of an endpoint does. */
  readonly newId: () => string;
  /** Address of what has this id. */
  readonly url: (id: string) => string;
}

/** Ends a body that is larger than it may be. */
class TooLarge extends Error {}

/** Prefix of ids of files below `/h/`. */
export const filePrefix = 'file_';

const nothingToRemove = (): Promise<void> => Promise.resolve();

const keepMs = 30 * 60 * 1000;

export class SharedFiles {
  readonly #options: SharedFilesOptions;
  readonly #files = new Map<string, SharedFile>();
  readonly #timers = new Set<() => void>();

  constructor(options: SharedFilesOptions) {
    this.#options = options;
  }

  /** Empties the folder: what an earlier runtime left cannot be fetched any more. */
  async open(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true });
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
  }

  get(id: string): SharedFile | undefined {
    return this.#files.get(id);
  }

  /** The address of these bytes. */
  async keep(bytes: Uint8Array, about: Omit<SharedFile, 'path'>): Promise<string> {
    const id = this.#options.newId();
    const path = join(this.#options.folder, id);
    await writeFile(path, bytes, { mode: 0o600 });
    return this.#publish(id, { path, ...about }, () => rm(path, { force: true }));
  }

  /** Answers component code: bytes are kept, a file that has a path stays where it is. */
  async answer({ content, filename, contentType }: FileRequest): Promise<string> {
    const about = { filename, contentType };
    if (typeof content !== 'string') return this.keep(content, about);
    return this.#publish(this.#options.newId(), { path: content, ...about }, nothingToRemove);
  }

  /**
   * The address of a request's body; undefined when it is larger than the limit. Rejects when the caller goes
   * away, or when it cannot be stored. Without an address nothing of the body is kept, and the rest of it can
   * still be read.
   * @param limit in bytes
   */
  async receive(request: IncomingMessage, limit: number): Promise<string | undefined> {
    if (Number(request.headers['content-length']) > limit) return undefined;
    const id = this.#options.newId();
    const path = join(this.#options.folder, id);
    const remove = () => rm(path, { force: true });
    try {
      const body = request.iterator({ destroyOnReturn: false });
      await pipeline(atMost(body, limit), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await remove();
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
    const contentType = request.headers['content-type'] ?? 'application/octet-stream';
    return this.#publish(id, { path, filename: 'body', contentType }, remove);
  }

  close(): void {
    for (const cancel of this.#timers) cancel();
  }

  #publish(id: string, file: SharedFile, remove: () => Promise<void>): string {
    this.#files.set(id, { ...file, filename: basename(file.filename) });
    const cancel = this.#options.clock.after(keepMs, () => {
      this.#timers.delete(cancel);
      this.#files.delete(id);
      // A file that cannot be removed is removed with the folder at the next start.
      remove().catch(() => undefined);
    });
    this.#timers.add(cancel);
    return this.#options.url(id);
  }
}

/** @throws TooLarge after so many bytes */
async function* atMost(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new TooLarge();
    yield chunk;
  }
}
