import fs from 'node:fs';
import { dirname } from 'node:path';
import { withDatabase } from './backup.ts';
import { createFile } from './live-file.ts';
import { createSchema } from './migrations.ts';
import type { Connection } from './wasm/connection.ts';
import { HostFiles } from './wasm/host-files.ts';
import { diskIo, syncFolder } from './wasm/io.ts';
import { loadSqlite, type SqlJsFiles } from './wasm/sqlite.ts';

/**
 * Makes a store of the latest schema, whole or not at all, and lets it be filled.
 * @param path what is there is written over
 * @param fill in transactions of its own
 */
export async function newFile<T>(
  path: string,
  sqlJs: SqlJsFiles,
  fill: (db: Connection) => Promise<T>,
): Promise<T> {
  createFile(await loadSqlite(sqlJs, new HostFiles(diskIo)), path, createSchema);
  try {
    const result = await withDatabase(path, sqlJs, async (db) => {
      // Nobody looks at it before it is whole.
      db.pragma('journal_mode', 'MEMORY');
      db.pragma('synchronous', 'OFF');
      return fill(db);
    });
    const fd = fs.openSync(path, 'r+');
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    syncFolder(diskIo, dirname(path));
    return result;
  } catch (error) {
    fs.rmSync(path, { force: true });
    throw error;
  }
}
