/**
 * Accounts that are kept for the user and shared by folders: a file each in the user's configuration folder, sealed as in a
 * store. Several runtimes have them at a time, so each read looks whether the file is another one by now, and what is read,
 * changed and written is so under a lock.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { AccountRecord } from './accounts.ts';

interface Seen {
  /** Tells one state of the file from another. */
  readonly version: string;
  readonly record: AccountRecord;
}

const fileName = /^(apn_\w+)\.json$/;

export class UserAccounts {
  readonly #folder: string;
  readonly #seen = new Map<string, Seen>();

  /** @param folder `…/weir/accounts` in the user's configuration folder; it is made at first need */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As it is on disk now. @throws WeirError `store_failed` for a file that cannot be read */
  get(id: string): AccountRecord | undefined {
    if (!fileName.test(`${id}.json`)) return undefined;
    const path = this.#path(id);
    const version = versionOf(path);
    if (version === undefined) {
      this.#seen.delete(id);
      return undefined;
    }
    const seen = this.#seen.get(id);
    if (seen?.version === version) return seen.record;
    const record = read(path);
    this.#seen.set(id, { version, record });
    return record;
  }

  /** Without reading it. */
  has(id: string): boolean {
    return fileName.test(`${id}.json`) && versionOf(this.#path(id)) !== undefined;
  }

  /** In the order they were made. */
  all(): AccountRecord[] {
    return this.#ids()
      .flatMap((id) => this.get(id) ?? [])
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  /** It is on disk, whole, when this returns. @throws WeirError `store_failed` */
  put(record: AccountRecord): void {
    const path = this.#path(record.id);
    const draft = `${path}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
      renameSync(draft, path);
    } catch (error) {
      throw new WeirError(
        'store_failed',
        `The account cannot be kept (${messageOf(error)}): make ${this.#folder} writable.`,
      );
    }
    this.#seen.set(record.id, { version: versionOf(path) ?? '', record });
  }

  delete(id: string): void {
    rmSync(this.#path(id), { force: true });
    this.#seen.delete(id);
  }

  /** Folder of an account's lock; it exists when this returns. */
  lockFolder(name: string): string {
    const path = join(this.#folder, 'locks', name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  /**
   * Tells of each account that another runtime has changed, made or deleted.
   * @returns ends it
   */
  watch(changed: (id: string) => void): () => void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const watcher = watch(this.#folder, { persistent: false }, (_event, name) => {
        const id = fileName.exec(name ?? '')?.[1];
        if (id !== undefined && this.#seen.get(id)?.version !== versionOf(this.#path(id)))
          changed(id);
      });
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    } catch {
      // If a folder cannot be watched, each run checks it.
      return () => undefined;
    }
  }

  #ids(): string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => fileName.exec(name)?.[1] ?? []);
    } catch {
      return [];
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

function versionOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.mtimeNs} ${stat.size} ${stat.ino}`;
}

function read(path: string): AccountRecord {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as AccountRecord;
  } catch (error) {
    throw new WeirError(
      'store_failed',
      `The account in ${path} cannot be read (${messageOf(error)}): remove the file and connect the account again.`,
    );
  }
}
