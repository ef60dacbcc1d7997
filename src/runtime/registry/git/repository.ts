/** A git repository as a registry: a partial clone in the user's cache, whose commits are trees of components. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { hasMoreThan, watchSize } from '../../base/watch-size.ts';
import { temporaryIn } from '../../base/temporary-folders.ts';
import type { Tree } from '../tree.ts';
import { git, type GitOptions, withoutPassword } from './git.ts';

export interface Commit {
  readonly id: string;
  /** Epoch milliseconds, as its author wrote it. */
  readonly at: number;
}

/** A version of a file. */
export interface Revision extends Commit {
  readonly blob: string;
}

export interface Freshness {
  /** If the repository cannot be reached, its last known state is used. */
  readonly mayBeOld: boolean;
  /** Answers of a few minutes ago are used again. */
  readonly mayBeMinutesOld: boolean;
}

const freshMs = 5 * 60_000;
const mostRevisions = 300;
const mostBytes = 64 * 1024 * 1024;

/** Without the contents of its files, which are fetched one by one: the largest registry known has a tenth of it. */
const mostCloneBytes = 2 * 1024 ** 3;

/** The longest that one clone or fetch may take. */
const longestMs = 30 * 60_000;

/** Most of a clone on disk, and the longest that git may take for it. */
export interface RepositoryLimits {
  readonly bytes: number;
  readonly ms: number;
}

const usualLimits: RepositoryLimits = { bytes: mostCloneBytes, ms: longestMs };

/** One per URL, so that each request to the repository is made once. */
export class Repository {
  readonly url: string;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #limits: RepositoryLimits;
  #fetched = 0;
  #fetching: Promise<void> | undefined;
  #problem: Error | undefined;

  /**
   * @param cache folder of all clones
   * @param limits of size and time, because git has none of its own
   */
  constructor(url: string, cache: string, now: () => number, limits = usualLimits) {
    this.url = url;
    this.#limits = limits;
    this.#folder = join(
      cache,
      `${createHash('sha256').update(url).digest('hex').slice(0, 24)}.git`,
    );
    this.#now = now;
  }

  /** Why the last clone or fetch failed; undefined if it succeeded. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  /**
   * Clones it, or asks for what is new. A fetch goes on for those who ask later when
   * the signal of this caller aborts.
   * @throws WeirError `registry_failed`, unless a clone is there that may be old, as one is without a network
   */
  async refresh(signal: AbortSignal, { mayBeOld, mayBeMinutesOld }: Freshness): Promise<void> {
    const isThere = await this.#isCloned();
    if (mayBeMinutesOld && isThere && this.#now() - this.#fetched < freshMs) return;
    this.#fetching ??= this.#fetch(isThere).finally(() => (this.#fetching = undefined));
    try {
      await unlessAborted(this.#fetching, signal);
    } catch (error) {
      if (!(mayBeOld && isThere)) throw error;
    }
  }

  async #fetch(isThere: boolean): Promise<void> {
    try {
      await this.#fetchOnce(isThere);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error as Error;
      throw error;
    }
  }

  async #fetchOnce(isThere: boolean): Promise<void> {
    // A waiting caller may give up; the clone of a large repository takes minutes, and is done only once.
    const { signal } = new AbortController();
    if (isThere) {
      const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
      const args = ['fetch', '--quiet', '--prune', '--no-tags', 'origin', ...refs];
      await this.#download([...this.#dir, ...args], this.#folder, { signal });
    } else {
      const cache = join(this.#folder, '..');
      await mkdir(cache, { recursive: true, mode: 0o700 });
      const temporary = temporaryIn(cache);
      try {
        const filter = ['--bare', '--quiet', '--filter=blob:none'];
        const args = ['clone', ...filter, '--', this.url, temporary];
        await this.#download(args, temporary, { signal });
        await rename(temporary, this.#folder).catch(async (error: unknown) => {
          // Another runtime was quicker.
          if (!(await this.#isCloned())) throw error;
        });
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    }
    this.#fetched = this.#now();
  }

  /**
   * Runs git, which writes into a folder, within the limits.
   * @throws WeirError `registry_failed` if it is too large or takes too long; then nothing is kept
   */
  async #download(args: readonly string[], folder: string, options: GitOptions): Promise<Buffer> {
    const { bytes, ms } = this.#limits;
    const ended = new AbortController();
    const tooLarge = `is larger than ${sizeText(bytes)}`;
    let why: string | undefined;
    const end = (reason: string): void => {
      why ??= reason;
      ended.abort();
    };
    const unwatch = watchSize(folder, bytes, () => end(tooLarge));
    const timer = setTimeout(() => end(`took longer than ${ms / 60_000} minutes`), ms);
    const signal = AbortSignal.any([options.signal, ended.signal]);
    const refusal = (cause?: unknown): WeirError => {
      const message = `${withoutPassword(this.url)} ${why ?? tooLarge}. Name a smaller repository.`;
      return new WeirError('registry_failed', message, undefined, cause);
    };
    try {
      const said = await git([...this.#transport, ...args], { ...options, signal });
      // It may be quicker than the watch.
      if (!(await hasMoreThan(folder, bytes))) return said;
    } catch (error) {
      if (why === undefined) throw error;
      await removePartial(folder);
      if (await hasMoreThan(folder, bytes)) await rm(folder, { recursive: true, force: true });
      throw refusal(error);
    } finally {
      clearTimeout(timer);
      unwatch();
    }
    await rm(folder, { recursive: true, force: true });
    throw refusal();
  }

  /** A host that is asked over TLS does not send the server to one that is not. */
  get #transport(): string[] {
    return /^https:/i.test(this.url) ? ['-c', 'protocol.http.allow=user'] : [];
  }

  async #isCloned(): Promise<boolean> {
    return stat(this.#folder).then(
      () => true,
      () => false,
    );
  }

  get #dir(): string[] {
    return ['--git-dir', this.#folder];
  }

  /**
   * @param ref branch, tag or commit; the repository's own branch without one
   * @returns undefined for a ref that it does not have
   */
  async commit(ref: string | undefined, signal: AbortSignal): Promise<Commit | undefined> {
    const name = ref ?? 'HEAD';
    const candidates = ref === undefined ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
    if (/^[0-9a-f]{7,64}$/i.test(name)) candidates.push(name);
    for (const one of candidates) {
      const args = ['log', '-1', '--format=%H %ct', '--end-of-options', one, '--'];
      const said = await git([...this.#dir, ...args], { signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return undefined;
      });
      const [id, seconds] = String(said ?? '')
        .trim()
        .split(' ');
      if (id !== undefined && id !== '') return { id, at: Number(seconds) * 1000 };
    }
    return undefined;
  }

  /** @param commit whole id */
  async tree(commit: string, signal: AbortSignal): Promise<Tree> {
    const listed = await git([...this.#dir, 'ls-tree', '-r', '-z', '--full-tree', commit], {
      signal,
    });
    const blobs = new Map<string, string>();
    for (const line of String(listed).split('\0')) {
      // A link (120000) or a submodule (160000) is no file.
      const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
      if (blob !== undefined && path !== undefined) blobs.set(path, blob);
    }
    return {
      paths: new Set(blobs.keys()),
      read: async (paths, reading) => {
        const wanted = paths.flatMap((path) => {
          const blob = blobs.get(path);
          return blob === undefined ? [] : [{ path, blob }];
        });
        const data = await this.blobs([...new Set(wanted.map(({ blob }) => blob))], reading);
        return new Map(
          wanted.flatMap(({ path, blob }) => {
            const bytes = data.get(blob);
            return bytes === undefined ? [] : [[path, bytes] as const];
          }),
        );
      },
    };
  }

  /** The versions of a file, newest first, with the commit that made each. */
  async revisions(commit: string, path: string, signal: AbortSignal): Promise<Revision[]> {
    const how = [
      'log',
      `--max-count=${mostRevisions}`,
      '--format=%n%H %ct',
      '--raw',
      '--no-abbrev',
    ];
    const args = [...how, '--no-renames', '--first-parent', '-m', commit, '--', path];
    const said = String(await git([...this.#dir, ...args], { signal }));
    const found: Revision[] = [];
    let at: Commit | undefined;
    for (const line of said.split('\n')) {
      const [, id, seconds] = /^([0-9a-f]{40,64}) (\d+)$/.exec(line) ?? [];
      if (id !== undefined) at = { id, at: Number(seconds) * 1000 };
      const [, blob] = /^:\d+ 100\d{3} [0-9a-f]+ ([0-9a-f]+) [AMT]/.exec(line) ?? [];
      if (blob !== undefined && at !== undefined) found.push({ ...at, blob });
    }
    return found;
  }

  /** The contents of files; missing ones are fetched together. */
  async blobs(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    if (ids.length === 0) return new Map();
    if (ids.length > 1) await this.#prefetch(ids, signal);
    const input = `${ids.join('\n')}\n`;
    const args = [...this.#dir, 'cat-file', '--batch'];
    const said = await this.#download(args, this.#folder, { signal, input, mostBytes });
    return readBatch(said);
  }

  /** One request instead of one per file; failed ones are repeated, and reported, when they are read. */
  async #prefetch(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const how = ['-c', 'fetch.negotiationAlgorithm=noop', ...this.#dir, 'fetch', '--quiet'];
    const what = ['--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin', 'origin'];
    const input = `${ids.join('\n')}\n`;
    await this.#download([...how, ...what], this.#folder, { signal, input }).catch(() => undefined);
  }
}

/** Packs that git was ended in the middle of: it does not remove them itself. @param folder of a bare repository */
async function removePartial(folder: string): Promise<void> {
  const packs = join(folder, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const partial = names.filter((name) => name.startsWith('tmp_') || name.startsWith('.tmp-'));
  await Promise.all(partial.map((name) => rm(join(packs, name), { force: true })));
}

function sizeText(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${bytes / 1024 ** 2} MB`;
}

/** The answer of `git cat-file --batch`: a line `<id> blob <size>`, the bytes, a line end. */
function readBatch(said: Buffer): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < said.length;) {
    const end = said.indexOf(10, at);
    if (end === -1) break;
    const [id = '', type, size] = said.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    found.set(id, said.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** @throws WeirError `cancelled` when the signal aborts first; the work continues */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void =>
      reject(new WeirError('registry_failed', 'it is still being cloned; ask again in a while.'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
      .catch(() => undefined);
  });
}
