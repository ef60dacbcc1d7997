import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { systemClock } from '../../base/clock.ts';
import type { Store } from '../store.ts';
import { openStore } from './open-store.ts';
import { judge, look, type StoreState } from './preflight.ts';
import { liveSuffixes } from './wasm/guard.ts';
import { diskIo } from './wasm/io.ts';
import { HostFiles } from './wasm/host-files.ts';
import type { SqlJsFiles } from './wasm/sqlite.ts';

/**
 * Opens a store that no runtime has as a start would, recovery included, but a copy of it: the store stays
 * as it is.
 * @param see is given the opened copy
 * @returns what was found there, with what `see` saw; it is not called where there is no store
 * @throws WeirError('store_failed') with the sentence that a start would end with
 */
export async function checkStore<T>(
  file: string,
  sqlJs: SqlJsFiles,
  see: (store: Store) => T,
): Promise<{ readonly state: StoreState; readonly seen?: T }> {
  const path = resolve(file);
  const state = judge(path, look(new HostFiles(diskIo).io, path));
  if (state === 'absent') return { state };
  const folder = await mkdtemp(join(tmpdir(), 'weir-check-'));
  const copy = join(folder, basename(path));
  try {
    for (const suffix of ['', liveSuffixes['-wal']]) {
      if (existsSync(path + suffix)) await copyFile(path + suffix, copy + suffix);
    }
    const store = await openStore({ file: copy, sqlJs, clock: systemClock });
    const seen = see(store);
    await store.close();
    return { state, seen };
  } catch (error) {
    // It is the store that the person knows, not its copy.
    const message = messageOf(error).replaceAll(copy, path).replaceAll(folder, resolve(path, '..'));
    throw new WeirError('store_failed', message, undefined, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
