/** The store of a data folder, moved to PostgreSQL and back. */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { openDataFolder } from '../data-folder/data-folder.ts';
import type { CodeTable } from '../code.ts';
import type { MoveConnection } from '../postgres/move-connection.ts';
import { addChecksums, type Checksums, checksumText } from '../move/checksums.ts';
import type { Watch } from '../move/progress.ts';
import { movedTables, ownSettings } from '../move/tables.ts';
import { hasArrived, writeToPostgres } from '../move/to-postgres.ts';
import { writeToSqlite } from '../move/to-sqlite.ts';
import { withDatabase } from '../sqlite/backup.ts';
import { markMoved, movedMarkOf, unmarkMoved } from '../sqlite/moved-mark.ts';
import { newFile } from '../sqlite/new-file.ts';
import { openStore } from '../sqlite/open-store.ts';
import { diskIo, syncFolder } from '../sqlite/wasm/io.ts';
import { liveSuffixes } from '../sqlite/wasm/guard.ts';
import type { Connection } from '../sqlite/wasm/connection.ts';
import type { SqlJsFiles } from '../sqlite/wasm/sqlite.ts';

export interface MoveOptions extends Watch {
  /** The data folder. */
  readonly data: string;
  readonly sqlJs: SqlJsFiles;
  /** Opens the database, and waits for nobody. */
  readonly connect: () => Promise<MoveConnection>;
  /** Puts the code of the data folder's deployments into the database. */
  readonly shareCode: (code: CodeTable) => Promise<void>;
  /** Puts code of the database into the data folder. */
  readonly fetchCode: (code: CodeTable) => Promise<void>;
}

/** The result of a move: the same rows were read at the source and at the target. */
export interface Moved {
  readonly data: string;
  /** Without a password. */
  readonly database: string;
  readonly tables: readonly Compared[];
  /** Emitters with rows of their own, by id. */
  readonly emitters: readonly Compared[];
  /** Path of the data folder's former file, if it had one. */
  readonly kept?: string;
}

export interface Compared {
  readonly name: string;
  readonly rows: number;
  readonly checksum: string;
}

/**
 * Moves the store of a stopped data folder into an empty database, and marks the folder. Undefined where an earlier
 * move had been cut off after it was done: now it is marked.
 * @throws WeirError what a start would, `data_folder_in_use`, `conflict` for a database with something in it or a
 *   store that was moved before, `cancelled`. The store is as it was then, and the database empty.
 */
export async function moveToDatabase(options: MoveOptions): Promise<Moved | undefined> {
  const folder = await openDataFolder(options.data);
  let postgres: MoveConnection | undefined;
  try {
    const file = join(folder.path, 'weir.db');
    const earlier = movedMarkOf(file);
    if (earlier?.state === 'moved') {
      throw new WeirError('conflict', `The store ${file} was moved to ${earlier.to} already.`);
    }
    if (!existsSync(file) && !existsSync(file + liveSuffixes['-wal'])) {
      throw new WeirError('bad_input', `There is no store in ${folder.path}: nothing to move.`);
    }
    postgres = await options.connect();
    const to = postgres.place;
    if (earlier !== undefined) {
      if (earlier.to !== to) {
        throw new WeirError(
          'conflict',
          `A move of this store to ${earlier.to} was cut off while it ended: give that database, to see whether it was done.`,
        );
      }
      if (await hasArrived(postgres, earlier.id)) {
        markMoved(file, { ...earlier, state: 'moved' });
        return undefined;
      }
      unmarkMoved(file);
    }
    await recover(file, options.sqlJs);
    const id = randomUUID();
    const database = postgres;
    const moved = await withDatabase(file, options.sqlJs, async (db) => {
      const sums = await writeToPostgres(db, database, id, options);
      return reportOf(folder.path, to, sums, db);
    });
    await options.shareCode(postgres.code);
    const mark = { to, id, at: new Date(systemClock.now()).toISOString() };
    // Between the two nobody could say where the store is; so the folder says that it has to be looked at.
    markMoved(file, { ...mark, state: 'moving' });
    await postgres.commit();
    markMoved(file, { ...mark, state: 'moved' });
    await postgres.analyze();
    return moved;
  } finally {
    await postgres?.end();
    await folder.release();
  }
}

/**
 * Moves everything out of a database that no node has open into a data folder, and marks the database.
 * @throws WeirError `data_folder_in_use`, `conflict` for a folder with a store that was not moved to this database, for
 *   a database that a node has open or that was moved away before, `cancelled`. All is as it was then.
 */
export async function moveFromDatabase(options: MoveOptions): Promise<Moved> {
  const folder = await openDataFolder(options.data);
  let postgres: MoveConnection | undefined;
  try {
    const file = join(folder.path, 'weir.db');
    postgres = await options.connect();
    const from = postgres.place;
    const mark = movedMarkOf(file);
    const hasStore = existsSync(file) || existsSync(file + liveSuffixes['-wal']);
    if (hasStore && (mark === undefined || mark.to !== from)) {
      throw new WeirError(
        'conflict',
        `${file} is there already: move it away, or choose another data folder with --data.`,
      );
    }
    const destination = `${hostname()}:${folder.path}`;
    await refuseMovedAway(postgres, destination);
    const unfinished = `${file}.moving`;
    const database = postgres;
    const moved = await newFile(unfinished, options.sqlJs, async (db) => {
      const sums = await writeToSqlite(database, db, options);
      return reportOf(folder.path, from, sums, db);
    });
    await options.fetchCode(postgres.code);
    await postgres.query(
      'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [ownSettings.movedTo, destination],
    );
    // From here on no node starts on it. Cut off now, the same command does it once more.
    await postgres.commit();
    const kept =
      hasStore && mark !== undefined ? `${file}.${mark.at.replaceAll(':', '-')}` : undefined;
    if (kept !== undefined) renameSync(file, kept);
    renameSync(unfinished, file);
    syncFolder(diskIo, dirname(file));
    unmarkMoved(file);
    return kept === undefined ? moved : { ...moved, kept };
  } finally {
    await postgres?.end();
    await folder.release();
  }
}

async function refuseMovedAway(postgres: MoveConnection, destination: string): Promise<void> {
  const [row] = await postgres.query('SELECT value FROM settings WHERE key = $1', [
    ownSettings.movedTo,
  ]);
  if (row === undefined || row['value'] === destination) return;
  throw new WeirError(
    'conflict',
    `The store in ${postgres.place} was moved to ${String(row['value'])} already.`,
  );
}

/** Recovers the file after a crash; its schema is the latest one afterwards. */
async function recover(file: string, sqlJs: SqlJsFiles): Promise<void> {
  const store = await openStore({ file, sqlJs, clock: systemClock });
  await store.close();
}

function reportOf(data: string, database: string, sums: Checksums, db: Connection): Moved {
  const ids = new Map<number, string>();
  for (const row of db.prepare('SELECT row, id FROM emitters ORDER BY row').each()) {
    ids.set(row.number('row'), row.text('id'));
  }
  const all = sums.all();
  const sum = (name: string, ofIt: readonly { rows: number; checksum: bigint }[]): Compared => ({
    name,
    rows: ofIt.reduce((rows, one) => rows + one.rows, 0),
    checksum: checksumText(ofIt.reduce((total, one) => addChecksums(total, one.checksum), 0n)),
  });
  return {
    data,
    database,
    tables: movedTables
      .map(({ name }) =>
        sum(
          name,
          all.filter((one) => one.table === name),
        ),
      )
      .filter(({ rows }) => rows > 0),
    emitters: [...ids].map(([row, id]) =>
      sum(
        id,
        all.filter(({ emitter }) => emitter === row),
      ),
    ),
  };
}
