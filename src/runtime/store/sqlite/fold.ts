import type { HostFile } from './host-file.ts';

/**
 * A checkpoint on its way to the disk. SQLite believes that it has copied the pages of the WAL into
 * the file; the file holds them back. What is left to do, in SQLite's order: the WAL becomes durable,
 * the pages are written, they become durable. Until then nothing may be written to the WAL: SQLite
 * starts it again from its beginning, over pages that would be nowhere else.
 *
 * Last goes the WAL's header. SQLite would make a barrier after the new one, or a crash could leave
 * the old header over frames of which the first are old, and old pages would return (its ticket
 * ff5be73dee). Without the old header that cannot be, and no barrier has to be waited for.
 */
export class Fold {
  readonly #wal: HostFile;
  readonly #file: HostFile;
  #over = false;

  constructor(wal: HostFile, file: HostFile) {
    this.#wal = wal;
    this.#file = file;
    file.hold();
  }

  /** Off the event loop. The WAL is durable already. */
  async settle(): Promise<void> {
    if (this.#over) return;
    this.#file.release();
    await this.#file.syncLater();
    if (this.#over) return;
    this.#over = true;
    await this.#wal.clearHeader();
  }

  /** On the spot, for a transaction that outgrows SQLite's cache and so writes before its commit. */
  settleNow(): void {
    if (this.#over) return;
    this.#wal.sync();
    this.#file.release();
    this.#file.sync();
    this.#over = true;
  }
}
