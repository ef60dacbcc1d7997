import { access, constants, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { RuntimeFile } from '../../protocol/rpc.ts';
import { acquireLock } from './lock.ts';
import { readRuntimeFile, removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts';

/** The data folder of this runtime, held until `release`. */
export interface DataFolder {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Tells clients where the runtime is: `runtime.json`, when it is ready and not before. */
  announce(content: RuntimeFile): Promise<void>;
  /** Takes `runtime.json` away and lets the next runtime in. */
  release(): Promise<void>;
}

/**
 * Makes the folder if need be (0700, ignored by git) and locks it.
 * @throws WeirError('data_folder_in_use') when another runtime has it,
 * WeirError('bad_input') when it cannot be made or written.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = await makeFolder(resolve(path));
  const unlock = await acquireLock(folder);
  if (unlock === undefined) throw await inUse(folder);
  // What a crash left tells clients of a runtime that is gone.
  await removeRuntimeFile(folder);
  return {
    path: folder,
    announce: (content) => writeRuntimeFile(folder, content),
    async release() {
      await removeRuntimeFile(folder);
      await unlock();
    },
  };
}

async function makeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const folder = await realpath(path);
    await ignoreByGit(folder);
    return folder;
  } catch (error) {
    throw new WeirError(
      'bad_input',
      `The data folder ${path} cannot be used (${messageOf(error)}): change its rights or choose another one.`,
      undefined,
      error,
    );
  }
}

/** Once: a person who changed the file meant it. */
async function ignoreByGit(folder: string): Promise<void> {
  try {
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function inUse(folder: string): Promise<WeirError> {
  const other = await readRuntimeFile(folder);
  const who = other === undefined ? 'Another runtime' : `The runtime with pid ${other.pid}`;
  const where = other === undefined ? '' : ` at ${other.url}`;
  return new WeirError(
    'data_folder_in_use',
    `${who} uses the data folder ${folder}${where}: connect to it, stop it, or choose another folder with --data.`,
  );
}
