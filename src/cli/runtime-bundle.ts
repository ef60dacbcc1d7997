import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { compiledFolder } from '../protocol/cache-folder.ts';
import type {
  checkDatabase,
  checkDataFolder,
  checkKey,
  moveDataFolder,
  restoreDataFolder,
  salvageDataFolder,
  serve,
  withKeysOf,
} from '../runtime/main.ts';

export type { KeyOperations, Moved, Served } from '../runtime/main.ts';

export interface RuntimeBundle {
  readonly serve: typeof serve;
  readonly checkDatabase: typeof checkDatabase;
  readonly checkDataFolder: typeof checkDataFolder;
  readonly checkKey: typeof checkKey;
  readonly moveDataFolder: typeof moveDataFolder;
  readonly restoreDataFolder: typeof restoreDataFolder;
  readonly salvageDataFolder: typeof salvageDataFolder;
  readonly withKeysOf: typeof withKeysOf;
}

/** The bundle beside this one. It is big, and few verbs need it. */
export function loadRuntime(): RuntimeBundle {
  // Node 20 has no such cache.
  module.enableCompileCache?.(compiledFolder({ env: process.env, home: homedir() }));
  return require(join(__dirname, 'runtime.js')) as RuntimeBundle;
}
