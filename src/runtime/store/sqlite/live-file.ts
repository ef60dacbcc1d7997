import fs from 'node:fs';
import { dirname } from 'node:path';
import { storeFailure } from './failure.ts';
import { checkSize, checkVersion, type StoreState } from './preflight.ts';
import { Connection } from './wasm/connection.ts';
import { liveSuffixes } from './wasm/guard.ts';
import { pagesInWal } from './wal.ts';
import type { HostFiles } from './wasm/host-files.ts';
import { syncFolder } from './wasm/io.ts';
import type { Sqlite } from './wasm/sqlite.ts';

/** The store's name inside the WASM instance. */
const NAME = '/store.db';
/** The larger, the less often a page that is written again and again is folded; but folding blocks the loop. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
/** Page size of a new store. Events of a kilobyte fill pages of 4 KiB badly, which costs CPU (bench/). */
const PAGE_BYTES = 8192;
const CACHE_KIB = 16 * 1024;

/** The store's file while it is in use: in WAL mode, guarded, all barriers in our hands. */
export class LiveFile {
  readonly db: Connection;
  readonly path: string;
  readonly #files: HostFiles;

  /** Recovers what a crash left. Throws before anything is changed when the store is a newer one's. */
  constructor(sqlite: Sqlite, path: string, state: StoreState) {
    this.path = path;
    this.#files = sqlite.files;
    this.#files.map(NAME, path, true);
    this.db = new Connection(sqlite, NAME, (error) =>
      storeFailure(path, error, sqlite.files.lastError),
    );
    // Before the first read: with it SQLite keeps the WAL's index in its own memory (no shared one here).
    this.db.pragma('locking_mode', 'EXCLUSIVE');
    checkVersion(path, Number(this.db.pragma('user_version')));
    if (state === 'live') this.#recover();
    else this.#enterWalMode();
    this.db.pragma('synchronous', 'FULL');
    this.db.pragma('wal_autocheckpoint', 0);
    this.db.pragma('cache_size', -CACHE_KIB);
    this.db.pragma('temp_store', 'MEMORY');
  }

  /** The system's error behind SQLite's latest one. */
  get systemError(): unknown {
    return this.#files.lastError;
  }

  /** False once its path, or that of its log, leads to another file or to none. */
  get inPlace(): boolean {
    return this.#files.inPlace;
  }

  /** Ends the open transaction; it is safe from a crash of this process, `barrier` makes it durable. */
  commit(): void {
    this.#files.deferring(() => this.db.run('COMMIT'));
  }

  /** Makes what was committed survive a power cut. */
  barrier(): Promise<void> {
    return this.#files.barrier(NAME);
  }

  get checkpointDue(): boolean {
    return this.#files.walBytes(NAME) >= CHECKPOINT_BYTES;
  }

  /** Folds the WAL into the file with real barriers, in SQLite's order; all committed is durable then. */
  checkpoint(): void {
    this.db.run('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** Proves that what is written reaches the real file and not the WASM instance's memory. */
  prove(write: (db: Connection, token: string) => void, token: string): void {
    this.db.transaction(() => write(this.db, token));
    const wal = fs.readFileSync(this.path + liveSuffixes['-wal']);
    if (!wal.includes(token)) throw new Error('a write did not reach the disk');
  }

  /** An ordinary copy of all that is committed. The target must not exist or be empty. */
  copyTo(path: string): void {
    const name = '/copy.db';
    this.#files.map(name, path, false);
    try {
      this.db.prepare('VACUUM INTO ?').run(name);
    } finally {
      this.#files.unmap(name);
    }
  }

  /** Folds the WAL, takes it and the guard away: an ordinary file. */
  close(): void {
    const mode = this.db.pragma('journal_mode', 'DELETE');
    this.db.close();
    if (mode !== 'delete') throw new Error(`journal mode is ${String(mode)}`);
  }

  /** For a store that cannot be used: as good an end as it allows. */
  leave(): void {
    try {
      this.close();
    } catch {
      // Why it cannot be used is what its caller tells.
      this.abandon();
    }
  }

  /** Leaves everything as a crash would; the next start recovers. */
  abandon(): void {
    this.#files.abandon();
  }

  /** Folds what the last runtime left, unless the file lost pages that the WAL does not have. */
  #recover(): void {
    const pages = Number(this.db.pragma('page_count'));
    const pageSize = Number(this.db.pragma('page_size'));
    const wal = this.path + liveSuffixes['-wal'];
    const inWal = fs.existsSync(wal)
      ? pagesInWal(fs.readFileSync(wal), pageSize)
      : new Set<number>();
    const { size } = fs.statSync(this.path);
    for (let page = Math.floor(size / pageSize) + 1; page <= pages; page++) {
      if (!inWal.has(page)) checkSize(this.path, size, pages * pageSize);
    }
    this.db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** By way of the ordinary format, because the guard's veil comes with a newly written header. */
  #enterWalMode(): void {
    this.db.pragma('journal_mode', 'DELETE');
    const mode = this.db.pragma('journal_mode', 'WAL');
    if (mode !== 'wal') throw new Error(`journal mode is ${String(mode)}`);
  }
}

/** Makes an empty store beside its place and puts it there whole, so that no half-made one is ever found. */
export function createFile(sqlite: Sqlite, path: string, fill: (db: Connection) => void): void {
  const name = '/new.db';
  const { io } = sqlite.files;
  const unfinished = `${path}.new`;
  io.rmSync(unfinished, { force: true });
  sqlite.files.map(name, unfinished, false);
  const db = new Connection(sqlite, name, (error) =>
    storeFailure(path, error, sqlite.files.lastError),
  );
  db.pragma('page_size', PAGE_BYTES);
  // Nobody looks at it before it is whole, so that one barrier at its end takes the place of several a transaction.
  db.pragma('journal_mode', 'MEMORY');
  db.pragma('synchronous', 'OFF');
  fill(db);
  sqlite.files.sync(name);
  db.close();
  sqlite.files.unmap(name);
  io.renameSync(unfinished, path);
  syncFolder(io, dirname(path));
}
